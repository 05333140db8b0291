#pragma once

#include "frontend/program.hpp"

namespace cilk2chan {

/// Where a function has to wait for children that may still run.
struct wait_places {
  llvm::DenseSet<const clang::Stmt*> syncs;    // the others have nothing to wait for
  llvm::DenseSet<const clang::Stmt*> returns;  // with an implicit sync
  bool at_end = false;                         // the implicit sync where control falls off the end
};

/// Follows which statements can be reached with children outstanding, and adds the statements
/// around waiting returns to `task.suspending`. Refuses what then cannot be lowered.
[[nodiscard]] wait_places find_waits(const program& source, task_function& task);

}  // namespace cilk2chan
