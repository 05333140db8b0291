#pragma once

#include "analysis/usage.hpp"
#include "frontend/program.hpp"

namespace cilk2chan {

/// Whether a function, with all that it calls, only computes its result, from its arguments and
/// from what it reads in memory. Asks each function once.
[[nodiscard]] bool only_reads(const program& source, const clang::FunctionDecl* function);

/// Lets a plain call run beside the next one, which waits for both, where nobody can tell:
/// `return f(a) + f(b);` and `x = f(a); y = f(b);` if the functions only read, and the second call
/// does not use what the first one returns. `usage`: of the task.
void overlap_calls(const program& source, task_function& task, const variable_usage& usage);

}  // namespace cilk2chan
