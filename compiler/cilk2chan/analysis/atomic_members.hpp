#pragma once

#include <clang/AST/ExprCXX.h>

namespace cilk2chan {

/// The atomic variable, an object of `std::atomic` of a number, a truth value, an enumeration or a
/// pointer, whose member a call calls, if channels/cilk/cxx_atomic.hpp has that member. With an
/// arrow: what leads to the variable. Null for all other calls.
[[nodiscard]] const clang::Expr* atomic_object(const clang::CallExpr* call);

}  // namespace cilk2chan
