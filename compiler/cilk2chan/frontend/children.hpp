#pragma once

#include "frontend/program.hpp"

#include <optional>

namespace cilk2chan {

/// Takes off what the compiler put around an expression without changing what it is.
[[nodiscard]] const clang::Expr* bare(const clang::Expr* expression);

/// The child that `statement` is, in one of the forms that are accepted: `f(...);`, `x = f(...);`,
/// `return f(...);`, each with or without `cilk_spawn`.
[[nodiscard]] std::optional<child_call> child_in(const program& source,
                                                 const clang::Stmt* statement);

/// The child in `T x = f(...)`.
[[nodiscard]] std::optional<child_call> child_in(const program& source,
                                                 const clang::VarDecl* variable);

}  // namespace cilk2chan
