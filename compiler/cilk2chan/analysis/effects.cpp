#include "analysis/effects.hpp"

#include "frontend/tree_walker.hpp"

#include <clang/AST/ExprCXX.h>

#include <optional>

namespace cilk2chan {
namespace {

class effect_visitor : public tree_walker {
 public:
  explicit effect_visitor(const variable_usage& usage) : usage_(usage) {}

  bool found = false;

  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const bool harmless = callee != nullptr && (callee->hasAttr<clang::ConstAttr>() ||
                                                callee->hasAttr<clang::PureAttr>());
    return harmless || effect();
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* node) override {
    return node->getConstructor()->isTrivial() || effect();
  }
  bool VisitCXXNewExpr(clang::CXXNewExpr*) override { return effect(); }
  bool VisitCXXDeleteExpr(clang::CXXDeleteExpr*) override { return effect(); }
  bool VisitAtomicExpr(clang::AtomicExpr*) override { return effect(); }
  bool VisitLambdaExpr(clang::LambdaExpr*) override { return effect(); }
  bool VisitStmtExpr(clang::StmtExpr*) override { return effect(); }
  bool VisitBinaryOperator(clang::BinaryOperator* node) override {
    return !node->isAssignmentOp() || own(node->getLHS()) || effect();
  }
  bool VisitUnaryOperator(clang::UnaryOperator* node) override {
    return !node->isIncrementDecrementOp() || own(node->getSubExpr()) || effect();
  }
  bool VisitExpr(clang::Expr* node) override {
    return !node->getType().isVolatileQualified() || effect();
  }
  // A variable may move into the frame, and a pointer to it would still point to its old place.
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    return !escapes(name->getDecl()) || effect();
  }
  bool VisitVarDecl(clang::VarDecl* variable) override { return !escapes(variable) || effect(); }

 private:
  bool escapes(const clang::ValueDecl* declaration) const {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
    return variable != nullptr && usage_.escaped.contains(variable);
  }
  static bool own(const clang::Expr* place) {
    const clang::VarDecl* variable = root_variable(place);
    return variable != nullptr && variable->hasLocalStorage() &&
           !variable->getType()->isReferenceType();
  }
  bool effect() {
    found = true;
    return false;  // ends the traversal
  }

  const variable_usage& usage_;
};

bool breaks_out(const clang::Stmt* node) {
  if (node == nullptr || llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt,
                                   clang::SwitchStmt, clang::CXXForRangeStmt>(node)) {
    return false;
  }
  if (llvm::isa<clang::BreakStmt>(node)) return true;
  for (const clang::Stmt* child : node->children()) {
    if (breaks_out(child)) return true;
  }
  return false;
}

bool continues(const clang::Stmt* node) {
  if (node == nullptr ||
      llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(node)) {
    return false;
  }
  if (llvm::isa<clang::ContinueStmt>(node)) return true;
  for (const clang::Stmt* child : node->children()) {
    if (continues(child)) return true;
  }
  return false;
}

// Whether a condition is written as a constant, and which.
std::optional<bool> constant_truth(const clang::Expr* condition) {
  condition = condition->IgnoreParenImpCasts();
  if (const auto* number = llvm::dyn_cast<clang::IntegerLiteral>(condition))
    return number->getValue() != 0;
  if (const auto* truth = llvm::dyn_cast<clang::CXXBoolLiteralExpr>(condition))
    return truth->getValue();
  return {};
}

bool loops_forever(const clang::Expr* condition, const clang::Stmt* body) {
  const bool endless = condition == nullptr || constant_truth(condition).value_or(false);
  return endless && !breaks_out(body);
}

}  // namespace

bool can_repeat(const clang::Stmt* node, const variable_usage& usage) {
  effect_visitor visitor(usage);
  visitor.look_through(node);
  return !visitor.found;
}

bool can_precede_open(const clang::Stmt* node, const variable_usage& usage) {
  if (node == nullptr) return true;
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(node)) {
    if (branch->getInit() == nullptr && branch->getConditionVariable() == nullptr &&
        can_repeat(branch->getCond(), usage)) {
      const auto harmless = [&](const clang::Stmt* way) {
        return way == nullptr || !falls_through(way) || can_precede_open(way, usage);
      };
      return harmless(branch->getThen()) && harmless(branch->getElse());
    }
  }
  return can_repeat(node, usage);
}

bool acts(const clang::Stmt* node) {
  return llvm::isa<clang::AsmStmt, clang::CXXTryStmt, clang::CXXThrowExpr, clang::CXXNewExpr,
                   clang::CXXDeleteExpr, clang::LambdaExpr, clang::StmtExpr, clang::VAArgExpr,
                   clang::AtomicExpr>(node);
}

bool is_plain(const clang::VarDecl* variable) {
  return !variable->isStaticLocal() && !variable->getType()->isVariablyModifiedType() &&
         !variable->getType().isVolatileQualified() &&
         !variable->needsDestruction(variable->getASTContext());
}

bool can_leave(const clang::Stmt* node) {
  if (node == nullptr ||
      llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(node)) {
    return false;
  }
  if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(node)) return continues(choice);
  if (llvm::isa<clang::BreakStmt, clang::ContinueStmt>(node)) return true;
  for (const clang::Stmt* child : node->children()) {
    if (can_leave(child)) return true;
  }
  return false;
}

bool runs_once(const clang::DoStmt* loop) {
  return !constant_truth(loop->getCond()).value_or(true);
}

bool has_branch(const clang::Stmt* code) {
  struct visitor : tree_walker {
    bool found = false;
    bool VisitStmt(clang::Stmt* node) override {
      const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(node);
      found = found || (operation != nullptr && operation->isLogicalOp()) ||
              llvm::isa<clang::IfStmt, clang::SwitchStmt, clang::ForStmt, clang::WhileStmt,
                        clang::DoStmt, clang::CXXForRangeStmt, clang::ContinueStmt,
                        clang::ConditionalOperator, clang::StmtExpr, clang::LambdaExpr>(node);
      return !found;
    }
  };
  visitor look;
  look.look_through(code);
  return look.found;
}

bool falls_through(const clang::Stmt* node) {
  if (node == nullptr) return true;
  if (llvm::isa<clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt>(node)) return false;
  if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(node)) {
    for (const clang::Stmt* one : list->body()) {
      if (!falls_through(one)) return false;
    }
    return true;
  }
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(node)) {
    return branch->getElse() == nullptr || falls_through(branch->getThen()) ||
           falls_through(branch->getElse());
  }
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(node)) {
    return !loops_forever(loop->getCond(), loop->getBody());
  }
  if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(node)) {
    return !loops_forever(loop->getCond(), loop->getBody());
  }
  return true;
}

}  // namespace cilk2chan
