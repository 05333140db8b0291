#pragma once

#include <clang/AST/Expr.h>

namespace cilk2chan {

/// The expression without implicit nodes, and without the parentheses, casts and braces that are
/// written around it.
[[nodiscard]] const clang::Expr* written(const clang::Expr* value);

}  // namespace cilk2chan
