#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include "tasks/lower.hpp"

namespace cilk2chan {
namespace {

using variable_set = std::set<const clang::VarDecl*>;

void note_uses(const clang::Stmt* node, variable_set& used) {
  if (node == nullptr) return;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(node)) {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl())) {
      used.insert(variable);
    }
  }
  for (const clang::Stmt* part : node->children()) note_uses(part, used);
}

void note_uses(const std::vector<step>& steps, variable_set& used) {
  for (const step& one : steps) {
    if (one.kind == step_kind::open) return;
    const clang::Stmt* mentioned = one.piece.statement;
    if (one.kind == step_kind::branch) mentioned = llvm::cast<clang::IfStmt>(mentioned)->getCond();
    note_uses(mentioned, used);
    note_uses(one.body, used);
    note_uses(one.otherwise, used);
  }
}

}  // namespace

std::set<const clang::VarDecl*> used_before_open(const lowered_function& function) {
  variable_set used;
  note_uses(function.enter, used);
  return used;
}

}  // namespace cilk2chan
