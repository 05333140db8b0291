#include "tasks/lanes/prefixes.hpp"

#include "analysis/loop_forms.hpp"
#include "frontend/tree_walker.hpp"
#include "tasks/lanes/first_uses.hpp"

#include <algorithm>

namespace cilk2chan {
namespace {

// The value of a statement that is evaluated before all else that it does.
const clang::Expr* first_value_in(const clang::Stmt* statement, const clang::VarDecl* variable) {
  const auto* value = llvm::dyn_cast<clang::Expr>(statement);
  const auto* declares = llvm::dyn_cast<clang::DeclStmt>(statement);
  if (declares != nullptr && declares->isSingleDecl()) {
    const auto* local = llvm::dyn_cast<clang::VarDecl>(declares->getSingleDecl());
    value = local == nullptr ? nullptr : local->getInit();
  }
  while (value != nullptr) {
    value = value->IgnoreParenImpCasts();
    const auto* change = llvm::dyn_cast<clang::BinaryOperator>(value);
    if (change == nullptr || change->getOpcode() != clang::BO_Assign ||
        mentions(change->getLHS(), variable) != 0)
      return value;
    value = change->getRHS();
  }
  return nullptr;
}

// What a value adds to the variable.
std::optional<prefix_sum> sum_in(const clang::Expr* value, const clang::VarDecl* variable) {
  if (const auto* step = llvm::dyn_cast<clang::UnaryOperator>(value)) {
    if (!step->isIncrementDecrementOp() || bare_variable(step->getSubExpr()) != variable)
      return std::nullopt;
    return prefix_sum{variable, {}, nullptr, step->isDecrementOp()};
  }
  const auto* change = llvm::dyn_cast<clang::BinaryOperator>(value);
  if (change == nullptr || bare_variable(change->getLHS()) != variable) return std::nullopt;
  if (change->getOpcode() == clang::BO_AddAssign || change->getOpcode() == clang::BO_SubAssign)
    return prefix_sum{variable, {}, change->getRHS(), change->getOpcode() == clang::BO_SubAssign};
  if (change->getOpcode() != clang::BO_Assign) return std::nullopt;
  const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(change->getRHS()->IgnoreParenImpCasts());
  if (sum == nullptr) return std::nullopt;
  const bool first = bare_variable(sum->getLHS()->IgnoreParenImpCasts()) == variable;
  const bool second = bare_variable(sum->getRHS()->IgnoreParenImpCasts()) == variable;
  if (sum->getOpcode() == clang::BO_Add && first != second)
    return prefix_sum{variable, {}, first ? sum->getRHS() : sum->getLHS(), false};
  if (sum->getOpcode() == clang::BO_Sub && first && !second)
    return prefix_sum{variable, {}, sum->getRHS(), true};
  return std::nullopt;
}

// Finds what an iteration has to run for its term, before the sum is known.
class term_finder {
 public:
  term_finder(const loop_place& place, const clang::Stmt* body, prefix_sum& into)
      : place_(place), body_(body), sum_(into) {}

  // `before`: the statements of the body in front of the sum. False if it cannot be done.
  bool run(llvm::ArrayRef<clang::Stmt*> before) {
    bool loads = false;
    if (sum_.term != nullptr) {
      const code_effects does = effects_of(sum_.term, place_.calls, place_.owns);
      if (!sum_.term->getType()->isIntegerType() || !does.can_all() || !does.changed.empty() ||
          mentions(sum_.term, sum_.variable) != 0)
        return false;
      loads = does.loads;
      needs(sum_.term);
    }
    bool stores = false;
    for (auto each = before.rbegin(); each != before.rend(); ++each) {
      const code_effects does = effects_of(*each, place_.calls, place_.owns);
      if (does.acts || does.leaves) return false;
      if (!is_needed(does)) {
        stores = stores || does.stores;
        continue;
      }
      // The lanes run it twice.
      const auto is_own = [&](const clang::VarDecl* one) { return is_set_first(body_, one); };
      if (does.stores || does.has_loop || mentions(*each, sum_.variable) != 0 ||
          !std::ranges::all_of(does.changed, is_own))
        return false;
      loads = loads || does.loads;
      needs(*each);
      sum_.before.insert(sum_.before.begin(), *each);
    }
    sum_.passes_stores = stores && loads;
    return true;
  }

 private:
  void needs(const clang::Stmt* code) {
    struct visitor : tree_walker {
      llvm::DenseSet<const clang::VarDecl*>* all = nullptr;
      bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
        if (const auto* one = llvm::dyn_cast<clang::VarDecl>(name->getDecl())) all->insert(one);
        return true;
      }
    };
    visitor look;
    look.all = &needed_;
    look.look_through(code);
  }
  bool is_needed(const code_effects& does) const {
    const auto needed = [&](const clang::VarDecl* one) { return needed_.contains(one); };
    return std::ranges::any_of(does.changed, needed) || std::ranges::any_of(does.declared, needed);
  }

  const loop_place& place_;
  const clang::Stmt* body_;
  prefix_sum& sum_;
  llvm::DenseSet<const clang::VarDecl*> needed_;
};

}  // namespace

std::optional<prefix_sum> prefix_of(const loop_place& place, const clang::ForStmt* loop,
                                    const clang::VarDecl* variable) {
  if (!variable->getType()->isIntegerType() || variable->getType()->isBooleanType())
    return std::nullopt;
  const change_counts changes = changes_in(loop);
  const auto own = changes.find(variable);
  if (own == changes.end() || own->second != 1) return std::nullopt;
  const clang::Stmt* body = loop->getBody();
  const std::vector<clang::Stmt*> statements = statements_of(body);
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const clang::Expr* value = first_value_in(statements[i], variable);
    auto sum = value == nullptr ? std::nullopt : sum_in(value, variable);
    if (!sum) continue;
    const bool fine = term_finder(place, body, *sum).run(llvm::ArrayRef(statements).take_front(i));
    return fine ? sum : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace cilk2chan
