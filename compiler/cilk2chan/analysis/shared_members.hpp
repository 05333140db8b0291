#pragma once

#include <clang/AST/ExprCXX.h>

#include <vector>

namespace cilk2chan {

/// The objects of `std::shared_ptr` of which a call only asks what they lead to, if
/// channels/cilk/shared_view.hpp has that: by `->`, `*`, `[]` and `get`, where a truth value is
/// meant, and in a comparison for equality. With an arrow: what leads to the object. Empty for all
/// other calls.
[[nodiscard]] std::vector<const clang::Expr*> shared_objects(const clang::CallExpr* call);

}  // namespace cilk2chan
