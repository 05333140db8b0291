#pragma once

#include "analysis/usage.hpp"
#include "frontend/program.hpp"

namespace cilk2chan {

/// Whether `node` can run twice with the same effect as once, apart from the function's own
/// variables. Everything before `open` must be so: a task that finds no room starts again.
[[nodiscard]] bool can_repeat(const clang::Stmt* node, const variable_usage& usage);

/// The same for a statement before `open`. A statement that always returns may have effects, since
/// no `open` follows it.
[[nodiscard]] bool can_precede_open(const clang::Stmt* node, const variable_usage& usage);

/// Whether the node, whatever stands in it, may do more than compute and store: it throws,
/// allocates, is assembly, or the like. An atomic operation is such a node.
[[nodiscard]] bool acts(const clang::Stmt* node);

/// Whether nothing happens where a local variable begins and ends but what computes its value.
[[nodiscard]] bool is_plain(const clang::VarDecl* variable);

/// Whether a `break` or `continue` in `node` leads out of it.
[[nodiscard]] bool can_leave(const clang::Stmt* node);

/// Whether it is a loop only in form, `do ... while (0)`, as macros have it.
[[nodiscard]] bool runs_once(const clang::DoStmt* loop);

/// Whether some of the code runs in some cases only, or more than once.
[[nodiscard]] bool has_branch(const clang::Stmt* code);

/// Whether control can reach the end of `node`.
[[nodiscard]] bool falls_through(const clang::Stmt* node);

}  // namespace cilk2chan
