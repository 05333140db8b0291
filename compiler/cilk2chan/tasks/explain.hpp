#pragma once

#include "tasks/emission/emit.hpp"

#include <llvm/Support/raw_ostream.h>

namespace cilk2chan {

/// Prints which functions became tasks, where each is split, and what its frame holds.
void explain(const program& source, const std::vector<finished_task>& tasks,
             llvm::raw_ostream& out);

}  // namespace cilk2chan
