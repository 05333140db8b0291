#pragma once

#include "frontend/parsed_file.hpp"

#include <clang/AST/PrettyPrinter.h>
#include <clang/AST/Type.h>

#include <optional>
#include <string>

namespace cilk2chan {

/// How plain functions print types and expressions: types as what they stand for, since the names
/// of template parameters and of types in other scopes mean nothing where a plain function is.
[[nodiscard]] clang::PrintingPolicy plain_policy(const clang::ASTContext& context);

/// Whether some of an array's lengths vary, its own or those of arrays in it.
[[nodiscard]] bool is_array_of_rows(const clang::ASTContext& context, clang::QualType type);
/// Whether arrays of variable length are in a type, or in those of a function's parameters.
[[nodiscard]] bool has_rows(clang::QualType type);
/// `type` as plain functions have it: a pointer to an array some of whose lengths vary is one to
/// the first of its elements. Null for other types with such arrays.
[[nodiscard]] clang::QualType without_rows(const clang::ASTContext& context, clang::QualType type);

/// `type` declaring `name`; nothing where the type has no name that can be used at file scope.
[[nodiscard]] std::optional<std::string> plain_type(const clang::ASTContext& context,
                                                    clang::QualType type,
                                                    const std::string& name = {});

/// Why `plain_type` has nothing for a type.
[[nodiscard]] std::string why_not_plain(const clang::ASTContext& context, clang::QualType type);

/// The same for a variable or parameter that holds a `type`: a reference is a pointer, and an
/// object that is not trivially copyable is in a `cilk_box`, or, if it is no copy of its bytes, in
/// a `cilk_held`.
[[nodiscard]] std::optional<std::string> plain_variable(const clang::ASTContext& context,
                                                        clang::QualType type,
                                                        const std::string& name);

/// Whether objects of the type are in a `cilk_box`, which is trivially copyable and made of nothing
/// where they are not.
[[nodiscard]] bool is_boxed(const clang::ASTContext& context, clang::QualType type);
/// Whether a copy of such an object's bytes is a copy of the object.
[[nodiscard]] bool can_copy_box(clang::QualType type);
/// Whether such an object goes to and from functions in a `cilk_held`.
[[nodiscard]] bool is_held(const clang::ASTContext& context, clang::QualType type);
/// Whether a `cilk_held` can give the object away: host code gets a new one.
[[nodiscard]] bool can_be_moved(clang::QualType type);
/// Whether a value can be assigned to an object of the class.
[[nodiscard]] bool can_be_assigned(clang::QualType type);
/// What makes an object of a type out of `value`, which is an argument of its constructor, a list
/// in braces or the object itself.
[[nodiscard]] std::string made_of(const std::string& type, const std::string& value);
/// A `cilk_box` or `cilk_held` with a new object of this type, which is boxed, made of `value`.
[[nodiscard]] std::string held_object(const clang::ASTContext& context, clang::QualType type,
                                      const std::string& value);

/// The name of something of a file, namespace or class, with what it is in.
[[nodiscard]] std::string plain_name(const clang::NamedDecl* declaration);

/// A name of a variable in a plain form: C may have one that is a keyword in C++.
[[nodiscard]] std::string variable_name(const clang::VarDecl* variable);
/// The same of a parameter: those of a pack have one name in the program.
[[nodiscard]] std::string parameter_name(const clang::ParmVarDecl* parameter);

}  // namespace cilk2chan
