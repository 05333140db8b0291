#pragma once

#include "analysis/references.hpp"
#include "tasks/emission/emit.hpp"

namespace cilk2chan {

/// Refuses what tasks, and the functions that they call, cannot do on a device other than the host:
/// calls of functions without device code, exceptions, variables whose address the device cannot
/// get.
void check_device(const program& source, const std::vector<finished_task>& tasks,
                  reference_finder& finder);

}  // namespace cilk2chan
