#pragma once

#include <clang/AST/Decl.h>

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

/// Whether a variable is a reducer, or holds one.
[[nodiscard]] bool holds_reducer(const clang::VarDecl* variable);

}  // namespace cilk2chan
