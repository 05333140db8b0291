#pragma once

#include "analysis/usage.hpp"
#include "frontend/program.hpp"

namespace cilk2chan {

/// Whether `node` may run twice and leave everything but the function's own variables as if it had
/// run once. What stands before `open` must be so, because a task that finds no room starts again.
[[nodiscard]] bool can_repeat(const clang::Stmt* node, const variable_usage& usage);

/// As can_repeat, for a statement before `open`: what always returns needs no `open` after it.
[[nodiscard]] bool can_precede_open(const clang::Stmt* node, const variable_usage& usage);

/// Whether control can come out at the end of `node`.
/// Whether a `break` or `continue` in `node` leads out of it.
[[nodiscard]] bool can_leave(const clang::Stmt* node);

[[nodiscard]] bool falls_through(const clang::Stmt* node);

}  // namespace cilk2chan
