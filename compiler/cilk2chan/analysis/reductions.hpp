#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>

#include <optional>
#include <string>

namespace cilk2chan {

/// What reduces two views to one, if that is an operation of integers in which their order does not
/// matter.
enum class view_operation { other, add, multiply, bit_and, bit_or, bit_xor, least, greatest };

/// Whether it keeps one of two values as it is.
[[nodiscard]] bool compares(view_operation how);

/// What is known of a reducer where it is used.
struct reducer_facts {
  /// How its declaration is written: with `cilk_reducer`, as an object of `cilk::reducer`, or as
  /// CILK_C_DECLARE_REDUCER has it.
  enum kind { attribute, object, c_object } how_declared = attribute;
  clang::QualType view;  // the type of a view
  view_operation operation = view_operation::other;
  bool keeps_best = false;  // the view is one of reducer_max.h and its like: a value and a mark
  std::string identity;     // in front of `(pointer)`: makes a view; empty if it is not known
  std::string reduce;       // in front of `(left, right)`
  /// What reduces views gives other digits in another order: it computes with floating-point
  /// numbers.
  bool rounds = false;
};

/// A strand's view of a reducer, as an expression names it.
struct named_view {
  const clang::ValueDecl* reducer = nullptr;  // the variable or member; null where it has none
  const clang::Expr* place = nullptr;         // names the reducer itself
  bool at_pointer = false;                    // `place` points to the reducer
  bool whole = true;     // the expression is the view; else it is a pointer to the view
  bool is_best = false;  // it is the best value of such a view, which has a mark, too
  reducer_facts facts;
};

/// The value in a view: of reducer_max.h's that of its member.
[[nodiscard]] clang::QualType value_type(const reducer_facts& facts);
/// Whether each change of such a reducer can be one atomic operation on its place.
[[nodiscard]] bool reduces_in_any_order(const clang::ASTContext& context,
                                        const reducer_facts& facts);

/// The functions of `cilk_reducer(identity, reduce)` at `declaration`, by names that mean them
/// everywhere; as they are written if they are not known, or none of a namespace.
[[nodiscard]] std::string functions_of_reducer(const clang::DeclaratorDecl* declaration,
                                               const std::string& written);

/// The view that an expression is, or nothing.
[[nodiscard]] std::optional<named_view> view_in(const clang::ASTContext& context,
                                                const clang::Expr* value);

/// The view of a reducer that is a variable, or nothing.
[[nodiscard]] std::optional<reducer_facts> facts_of_variable(const clang::VarDecl* variable);

/// The view of which `p->member` is a part, if `p` points to a reducer.
[[nodiscard]] std::optional<named_view> view_behind(const clang::MemberExpr* member);

/// The reducer itself of an object: of `r`, and of `r->get_value()` where `->` leads to the
/// reducer.
[[nodiscard]] const clang::Expr* reducer_behind(const clang::Expr* object);

/// What is known of an object of such a class, and of a reducer of C.
[[nodiscard]] std::optional<reducer_facts> facts_of_reducer_class(
    const clang::CXXRecordDecl* record);
[[nodiscard]] std::optional<reducer_facts> facts_of_c_reducer(clang::QualType type);

/// Whether an expression names a reducer, or what points to one: the reducer, and not a view.
[[nodiscard]] bool names_reducer(const clang::Expr* value);

/// Whether a value of type `from` is the same value as one of type `to`, both integers.
[[nodiscard]] bool keeps_value(const clang::ASTContext& context, const clang::Expr* from,
                               clang::QualType to);

}  // namespace cilk2chan
