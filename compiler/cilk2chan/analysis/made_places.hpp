#pragma once

#include <clang/AST/Expr.h>

#include <vector>

namespace cilk2chan {

/// Temporary objects and compound literals, in the order in which they are made.
struct made_places {
  std::vector<const clang::Expr*> found;
  bool conditional = false;  // one of them is only made under a condition
};

/// Those that `value` is made of. What `new` makes has copies of them, and literals that are only
/// read have no place.
[[nodiscard]] made_places find_places(const clang::Expr* value);

/// The compound literal of which `code` is the value, or null.
[[nodiscard]] const clang::CompoundLiteralExpr* literal_read(const clang::Stmt* code);

/// Whether a value may point into objects that it is made of.
[[nodiscard]] bool may_point(clang::QualType type);

/// Whether an object has nothing that could be pointed to but what it points to itself: an
/// iterator.
[[nodiscard]] bool has_pointers_only(clang::QualType type);

}  // namespace cilk2chan
