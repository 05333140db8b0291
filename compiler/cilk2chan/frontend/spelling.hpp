#pragma once

#include <clang/AST/Expr.h>

#include <optional>
#include <string>

namespace cilk2chan {

/// The expression without implicit nodes, and without the parentheses, casts and braces that are
/// written around it.
[[nodiscard]] const clang::Expr* written(const clang::Expr* value);

/// The arguments of the template that a function is an instance of, behind its name anywhere in the
/// file; empty if it is none. Nothing where an argument has no name there, such as a closure's
/// type.
[[nodiscard]] std::optional<std::string> written_arguments(const clang::FunctionDecl* function);

/// The name of a function as the user knows it: that of a plain form is the name of what it stands
/// for, with a mark (normal_form).
[[nodiscard]] std::string shown_name(const clang::FunctionDecl* function);
inline constexpr const char* plain_mark = "_cilk_";
/// The names of types begin so that have none outside of their function (normal_form).
inline constexpr const char* hidden_mark = "cilk_hidden_";
/// In the name of a region's plain form, before the line of its function.
inline constexpr const char* region_mark = "_region_";
/// The variable that a guard, which gives way to a plain form, declares first has a name that
/// begins so.
inline constexpr const char* guard_mark = "cilk_order_of_";
/// What a plain form is annotated with that host code enters, and that spawns nothing itself.
inline constexpr const char* entered_mark = "cilk_entered";
/// The class template whose instances stand for the instances of templates that give way.
inline constexpr const char* instance_mark = "cilk_instance";
/// The object whose class a plain form looks at, to find what a virtual call calls.
inline constexpr const char* dispatched_object = "cilk_object_of_class";
/// The pointer to a function that a plain form looks at, to find which it is.
inline constexpr const char* dispatched_pointer = "cilk_pointer";
[[nodiscard]] bool is_plain_form(const clang::FunctionDecl* function);

}  // namespace cilk2chan
