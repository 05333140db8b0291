#pragma once

#include "frontend/program.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

#include <map>
#include <optional>
#include <string>

namespace cilk2chan {

/// How often the code names the variable; it may be null.
[[nodiscard]] unsigned mentions(const clang::Stmt* code, const clang::VarDecl* variable);

using change_counts = std::map<const clang::VarDecl*, unsigned>;

/// How often the code, which may be null, has a change of each variable.
[[nodiscard]] change_counts changes_in(const clang::Stmt* code);

/// Whether `body` sets the variable before it uses it, whichever way it goes.
[[nodiscard]] bool is_set_first(const clang::Stmt* body, const clang::VarDecl* variable);

/// The operation by which a loop joins values to the variable, if it does nothing else with it and
/// the order does not matter for integers: `+`, `|`, `&` or `^`; `<` or `>` if it keeps the least
/// or the most of them.
[[nodiscard]] std::optional<std::string> reduction_of(const program& source,
                                                      const clang::ForStmt* loop,
                                                      const clang::VarDecl* variable);

}  // namespace cilk2chan
