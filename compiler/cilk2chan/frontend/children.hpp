#pragma once

#include "frontend/program.hpp"

#include <optional>

namespace cilk2chan {

/// The expression without Clang's implicit nodes around it: casts, temporaries and copies.
[[nodiscard]] const clang::Expr* bare(const clang::Expr* expression);

/// Whether a statement, or the last one of a block, is a `return`. False for null.
[[nodiscard]] bool ends_in_return(const clang::Stmt* code);

/// The child that `statement` is, or nothing. The accepted forms are `f(...);`, `x = f(...);`,
/// `return f(...);`, each with or without `cilk_spawn`.
[[nodiscard]] std::optional<child_call> child_in(const program& source,
                                                 const clang::Stmt* statement);

/// The child in `T x = f(...)`.
[[nodiscard]] std::optional<child_call> child_in(const program& source,
                                                 const clang::VarDecl* variable);

}  // namespace cilk2chan
