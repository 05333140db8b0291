#include "frontend/children.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>

namespace cilk2chan {
namespace {

std::optional<child_call> child_value(const program& source, const clang::Expr* value) {
  value = bare(value);
  child_call child;
  if (const auto* node = llvm::dyn_cast<clang::UnaryOperator>(value)) {
    if (!is_spawn(node, source.sources())) return std::nullopt;
    child.spawned = true;
    value = bare(node->getSubExpr());
  }
  child.call = llvm::dyn_cast<clang::CallExpr>(value);
  if (child.call == nullptr) return std::nullopt;
  const clang::FunctionDecl* callee = child.call->getDirectCallee();
  if (callee != nullptr) child.callee = callee->getCanonicalDecl();
  const task_function* task = source.task_of(callee);
  const bool becomes_task = child.spawned || (task != nullptr && !task->leaf);
  return becomes_task ? std::optional(child) : std::nullopt;
}

}  // namespace

const clang::Expr* bare(const clang::Expr* expression) {
  for (;;) {
    const clang::Expr* inner = expression;
    if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(expression)) {
      inner = cast->getSubExpr();
    } else if (const auto* full = llvm::dyn_cast<clang::FullExpr>(expression)) {
      inner = full->getSubExpr();
    } else if (const auto* temporary =
                   llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression)) {
      inner = temporary->getSubExpr();
    } else if (const auto* bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(expression)) {
      inner = bound->getSubExpr();
    } else if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(expression)) {
      if (made->getNumArgs() == 1 && made->getConstructor()->isCopyOrMoveConstructor()) {
        inner = made->getArg(0);
      }
    }
    if (inner == expression) return expression;
    expression = inner;
  }
}

bool ends_in_return(const clang::Stmt* code) {
  const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(code);
  if (block == nullptr) return llvm::isa_and_nonnull<clang::ReturnStmt>(code);
  return !block->body_empty() && ends_in_return(block->body_back());
}

std::optional<child_call> child_in(const program& source, const clang::Stmt* statement) {
  if (const auto* returning = llvm::dyn_cast<clang::ReturnStmt>(statement)) {
    if (returning->getRetValue() == nullptr) return std::nullopt;
    auto child = child_value(source, returning->getRetValue());
    if (child) child->returned = true;
    return child;
  }
  const auto* expression = llvm::dyn_cast<clang::Expr>(statement);
  if (expression == nullptr) return std::nullopt;
  expression = bare(expression);
  const clang::Expr* place = nullptr;
  const clang::Expr* value = expression;
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression)) {
    if (binary->getOpcode() != clang::BO_Assign) return std::nullopt;
    place = binary->getLHS();
    value = binary->getRHS();
  } else if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression)) {
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee());
    if (call->getOperator() != clang::OO_Equal || method == nullptr || !method->isTrivial()) {
      return std::nullopt;
    }
    place = call->getArg(0);
    value = call->getArg(1);
  }
  auto child = child_value(source, value);
  if (child) child->place = place;
  return child;
}

std::optional<child_call> child_in(const program& source, const clang::VarDecl* variable) {
  if (variable->getInit() == nullptr) return std::nullopt;
  auto child = child_value(source, variable->getInit());
  if (child) child->variable = variable;
  return child;
}

}  // namespace cilk2chan
