#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <llvm/ADT/DenseSet.h>

namespace cilk2chan {

/// How a function uses its own variables.
struct variable_usage {
  llvm::DenseSet<const clang::VarDecl*> changed;  // after their declaration
  llvm::DenseSet<const clang::VarDecl*> escaped;  // their address is taken, so uses may be hidden
};

[[nodiscard]] variable_usage usage_of(const clang::Stmt* body);

/// The variable that an lvalue is, or is a part of without going through a pointer; or null.
[[nodiscard]] const clang::DeclRefExpr* root_of(const clang::Expr* place);
[[nodiscard]] const clang::VarDecl* root_variable(const clang::Expr* place);

/// The variable that `expression` names, or null if it is anything else.
[[nodiscard]] const clang::VarDecl* bare_variable(const clang::Expr* expression);

/// Whether `body` assigns `variable` or takes its address.
[[nodiscard]] bool is_changed(const clang::VarDecl* variable, const clang::Stmt* body);

}  // namespace cilk2chan
