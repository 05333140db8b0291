#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>

#include <optional>
#include <string>

namespace cilk2chan {

/// A declaration whose type, or what it points to, is a reducer.
struct reducer_type {
  enum level { direct, pointed_to, element } where = direct;
  std::string functions;  // "identity, reduce", as the program has them
};

/// How the declaration has a reducer in its type, or nothing.
[[nodiscard]] std::optional<reducer_type> reducer_of(const clang::DeclaratorDecl* declaration);

/// Whether objects of the class are reducers, such as cilk/reducer.h has.
[[nodiscard]] bool is_reducer_class(const clang::CXXRecordDecl* record);

/// Whether the function works on views: it is a member of such a class, or what cilk/reducer.h has
/// for C.
[[nodiscard]] bool uses_view(const clang::FunctionDecl* function);

/// Whether a variable is a reducer, or holds one.
[[nodiscard]] bool holds_reducer(const clang::VarDecl* variable);

}  // namespace cilk2chan
