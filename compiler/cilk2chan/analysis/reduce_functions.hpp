#pragma once

#include "analysis/reductions.hpp"  // view_operation

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

namespace cilk2chan {

/// What a function that reduces two views does, `*(T*)left += *(T*)right` and its like, if that is
/// all that it does, to values of the type `view`. `definition`: has a body.
[[nodiscard]] view_operation operation_of(const clang::FunctionDecl* definition,
                                          clang::QualType view);

/// Whether it computes with floating-point numbers in a way that rounds, or calls what might.
[[nodiscard]] bool may_round(const clang::FunctionDecl* definition);

/// `value` without parentheses and casts, also those that are written.
[[nodiscard]] const clang::Expr* without_casts(const clang::Expr* value);

}  // namespace cilk2chan
