#pragma once

#include "tasks/lanes/effects.hpp"

namespace cilk2chan {

/// Why the iterations of a `cilk_for` had better not run side by side, with each lane as long as
/// the longest of them; empty: they may.
[[nodiscard]] std::string irregular_part(const task_function& loop, call_effects& calls);

}  // namespace cilk2chan
