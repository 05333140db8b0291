#pragma once

#include "frontend/program.hpp"

#include <optional>

namespace cilk2chan {

/// Whether a call is one of alloca's kinds.
[[nodiscard]] bool is_alloca(const clang::CallExpr* call);

/// The memory that `statement` takes, an assignment of alloca's result to a pointer; or nothing.
[[nodiscard]] std::optional<allocation> allocation_in(const clang::Stmt* statement);

/// The memory that the declaration of `variable` takes: an array of variable length, or a pointer
/// that alloca's result initialises; or nothing.
[[nodiscard]] std::optional<allocation> allocation_in(const clang::VarDecl* variable);

/// Its size: alloca's argument in bytes, or the number of elements of the array.
[[nodiscard]] const clang::Expr* size_of(const allocation& memory);

/// The type of the pointer to it.
[[nodiscard]] clang::QualType pointer_type(const clang::ASTContext& context,
                                           const allocation& memory);

/// The type of `long x[n]`, or null for other variables. In a task, a pointer takes the place of
/// such an array.
[[nodiscard]] const clang::VariableArrayType* variable_array(const clang::VarDecl* variable);

/// Whether a call evaluates something with an effect for a size in the type of this parameter: in
/// `long x[n++]`, too, where the size is nobody's.
[[nodiscard]] bool has_effects_in_sizes(const clang::ASTContext& context,
                                        const clang::ParmVarDecl* parameter);

}  // namespace cilk2chan
