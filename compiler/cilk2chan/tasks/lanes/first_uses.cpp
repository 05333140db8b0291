#include "tasks/lanes/first_uses.hpp"

#include "analysis/change_visitor.hpp"
#include "analysis/usage.hpp"
#include "tasks/lanes/printing.hpp"

#include <clang/AST/Expr.h>

namespace cilk2chan {
namespace {

class mention_counter : public tree_walker {
 public:
  explicit mention_counter(const clang::VarDecl* variable) : variable_(variable) {}

  unsigned count = 0;

  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    if (name->getDecl() == variable_) ++count;
    return true;
  }

 private:
  const clang::VarDecl* variable_;
};

enum class first_use {
  none,
  set,    // on all ways
  other,  // it is read, or set on some ways only
};

first_use first_use_in(const clang::Stmt* code, const clang::VarDecl* variable);

first_use first_use_in_value(const clang::Expr* value, const clang::VarDecl* variable) {
  const clang::Expr* inner = value->IgnoreParenImpCasts();
  if (const auto* node = llvm::dyn_cast<clang::BinaryOperator>(inner)) {
    if (node->getOpcode() == clang::BO_Comma) {
      const first_use left = first_use_in_value(node->getLHS(), variable);
      return left != first_use::none ? left : first_use_in_value(node->getRHS(), variable);
    }
    if (node->getOpcode() == clang::BO_Assign && bare_variable(node->getLHS()) == variable)
      return mentions(node->getRHS(), variable) == 0 ? first_use::set : first_use::other;
    // a = b = value
    if (node->getOpcode() == clang::BO_Assign && mentions(node->getLHS(), variable) == 0)
      return first_use_in_value(node->getRHS(), variable);
  }
  return mentions(value, variable) == 0 ? first_use::none : first_use::other;
}

first_use first_use_in(const clang::Stmt* code, const clang::VarDecl* variable) {
  if (mentions(code, variable) == 0) return first_use::none;
  if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(code)) {
    for (const clang::Stmt* one : list->body()) {
      const first_use found = first_use_in(one, variable);
      if (found != first_use::none) return found;
    }
    return first_use::none;
  }
  if (const auto* value = llvm::dyn_cast<clang::Expr>(code))
    return first_use_in_value(value, variable);
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(code)) {
    const first_use before = first_use_in(branch->getCond(), variable);
    if (before != first_use::none) return before;
    const bool both = branch->getElse() != nullptr &&
                      first_use_in(branch->getThen(), variable) == first_use::set &&
                      first_use_in(branch->getElse(), variable) == first_use::set;
    return both ? first_use::set : first_use::other;
  }
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(code)) {
    const first_use before =
        loop->getInit() == nullptr ? first_use::none : first_use_in(loop->getInit(), variable);
    return before == first_use::none ? first_use::other : before;
  }
  return first_use::other;
}

// The operation of one statement `variable op= value` or the like.
std::optional<std::string> joining(const clang::Stmt* node, const clang::VarDecl* variable) {
  if (const auto* step = llvm::dyn_cast<clang::UnaryOperator>(node)) {
    if (step->isIncrementDecrementOp() && bare_variable(step->getSubExpr()) == variable) return "+";
  }
  const auto* change = llvm::dyn_cast<clang::BinaryOperator>(node);
  if (change == nullptr || bare_variable(change->getLHS()) != variable) return std::nullopt;
  switch (change->getOpcode()) {
    case clang::BO_AddAssign:
    case clang::BO_SubAssign: return "+";
    case clang::BO_OrAssign: return "|";
    case clang::BO_AndAssign: return "&";
    case clang::BO_XorAssign: return "^";
    default: return std::nullopt;
  }
}

// Finds statements that join a value to the variable, and nothing else.
class joining_finder : public tree_walker {
 public:
  joining_finder(const program& source, const clang::VarDecl* variable)
      : source_(source), variable_(variable) {}

  unsigned found = 0;  // mentions of the variable
  bool mixed = false;
  std::string operation;

  bool VisitCompoundStmt(clang::CompoundStmt* list) override {
    for (const clang::Stmt* one : list->body()) look(one);
    return true;
  }
  bool VisitForStmt(clang::ForStmt* loop) override {
    look(loop->getBody());
    return true;
  }
  bool VisitIfStmt(clang::IfStmt* branch) override {
    choose(branch);
    look(branch->getThen());
    if (branch->getElse() != nullptr) look(branch->getElse());
    return true;
  }
  bool VisitWhileStmt(clang::WhileStmt* loop) override {
    look(loop->getBody());
    return true;
  }

  void look(const clang::Stmt* statement) {
    const auto* value = llvm::dyn_cast<clang::Expr>(statement);
    if (value == nullptr) return;
    if (const auto joins = joining(value->IgnoreParens(), variable_)) return note(*joins, 1);
    // variable = value > variable ? value : variable
    const auto* change = llvm::dyn_cast<clang::BinaryOperator>(value->IgnoreParens());
    if (change == nullptr || change->getOpcode() != clang::BO_Assign ||
        bare_variable(change->getLHS()) != variable_)
      return;
    const auto* choice =
        llvm::dyn_cast<clang::ConditionalOperator>(change->getRHS()->IgnoreParenImpCasts());
    if (choice == nullptr) return;
    const bool keeps = bare_variable(choice->getFalseExpr()) == variable_;
    if (!keeps && bare_variable(choice->getTrueExpr()) != variable_) return;
    const auto kept =
        kept_by(choice->getCond(), keeps ? choice->getTrueExpr() : choice->getFalseExpr());
    if (kept) note(keeps ? *kept : *kept == "<" ? ">" : "<", 3);
  }

  // if (value > variable) variable = value;
  void choose(const clang::IfStmt* branch) {
    const clang::Stmt* body = branch->getThen();
    const auto* list = llvm::dyn_cast<clang::CompoundStmt>(body);
    if (list != nullptr && list->size() == 1) body = list->body_front();
    const auto* value = llvm::dyn_cast<clang::Expr>(body);
    const auto* change =
        value == nullptr ? nullptr : llvm::dyn_cast<clang::BinaryOperator>(value->IgnoreParens());
    if (branch->getElse() != nullptr || branch->getInit() != nullptr || change == nullptr ||
        change->getOpcode() != clang::BO_Assign || bare_variable(change->getLHS()) != variable_)
      return;
    if (const auto kept = kept_by(branch->getCond(), change->getRHS())) note(*kept, 2);
  }

 private:
  void note(const std::string& joins, unsigned mentions) {
    found += mentions;
    mixed = mixed || (!operation.empty() && operation != joins);
    operation = joins;
  }

  // `>` if the condition holds for a value above the variable, `<` for one below.
  std::optional<std::string> kept_by(const clang::Expr* condition, const clang::Expr* value) const {
    const auto* compares = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts());
    if (compares == nullptr || !compares->isRelationalOp() || mentions(value, variable_) != 0)
      return std::nullopt;
    const clang::QualType type = variable_->getType();
    const auto same = [&](const clang::Expr* side) {
      // Conversions could order the values differently.
      return key_of(source_, side) == key_of(source_, value) &&
             source_.context->hasSameUnqualifiedType(side->getType(), type) &&
             source_.context->hasSameUnqualifiedType(value->getType(), type);
    };
    const bool above =
        compares->getOpcode() == clang::BO_GT || compares->getOpcode() == clang::BO_GE;
    if (bare_variable(compares->getRHS()) == variable_ && same(compares->getLHS()))
      return above ? ">" : "<";
    if (bare_variable(compares->getLHS()) == variable_ && same(compares->getRHS()))
      return above ? "<" : ">";
    return std::nullopt;
  }

  const program& source_;
  const clang::VarDecl* variable_;
};

}  // namespace

unsigned mentions(const clang::Stmt* code, const clang::VarDecl* variable) {
  if (code == nullptr) return 0;
  mention_counter counter(variable);
  counter.look_through(code);
  return counter.count;
}

change_counts changes_in(const clang::Stmt* code) {
  struct counter : change_visitor {
    change_counts counts;
    void change(const clang::Expr* place) override {
      if (const clang::VarDecl* one = bare_variable(place)) ++counts[one];
    }
  };
  counter look;
  if (code != nullptr) look.look_through(code);
  return look.counts;
}

bool is_set_first(const clang::Stmt* body, const clang::VarDecl* variable) {
  return first_use_in(body, variable) == first_use::set;
}

std::optional<std::string> reduction_of(const program& source, const clang::ForStmt* loop,
                                        const clang::VarDecl* variable) {
  const clang::QualType type = variable->getType();
  if ((!type->isIntegerType() && !type->isRealFloatingType()) || type->isBooleanType())
    return std::nullopt;
  joining_finder finder(source, variable);
  finder.look(loop->getBody());
  finder.look_through(loop->getBody());
  if (finder.found == 0 || finder.mixed || finder.found != mentions(loop, variable))
    return std::nullopt;
  return finder.operation;
}

}  // namespace cilk2chan
