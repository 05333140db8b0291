#pragma once

#include "analysis/usage.hpp"
#include "frontend/writer.hpp"
#include "tasks/lanes/together.hpp"

namespace cilk2chan {

/// Writes the body of a function that says of a call of a task, before it runs, whether it spawns
/// nothing and comes to a loop that lanes share. False if there is no such call; what was written
/// is of no use then.
/// `body`: the task's, with loops as lanes see them.
[[nodiscard]] bool write_leaf_test(const together& how, const variable_usage& usage,
                                   const clang::Stmt* body, writer& out);

}  // namespace cilk2chan
