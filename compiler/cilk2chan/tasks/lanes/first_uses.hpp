#pragma once

#include "frontend/program.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

#include <optional>
#include <string>

namespace cilk2chan {

/// Whether `body` sets the variable before it uses it, whichever way it goes.
[[nodiscard]] bool is_set_first(const clang::Stmt* body, const clang::VarDecl* variable);

/// The operation by which a loop joins values to the variable, if it does nothing else with it and
/// the order does not matter for integers: `+`, `|`, `&` or `^`; `<` or `>` if it keeps the least
/// or the most of them.
[[nodiscard]] std::optional<std::string> reduction_of(const program& source,
                                                      const clang::ForStmt* loop,
                                                      const clang::VarDecl* variable);

}  // namespace cilk2chan
