#pragma once

#include <clang/AST/Expr.h>

namespace cilk2chan {

/// Without what Clang adds around an expression, and without parentheses and casts that are
/// written.
[[nodiscard]] const clang::Expr* written(const clang::Expr* value);

}  // namespace cilk2chan
