#pragma once

#include "tasks/task_plan.hpp"  // compiler_error

#include <llvm/ADT/StringRef.h>

#include <string>
#include <vector>

namespace cilk2chan {

/// The errors in a compiler's messages, as Clang, g++ or nvcc write them. `how` is what the
/// compiler made of the file.
[[nodiscard]] std::vector<compiler_error> errors_in(llvm::StringRef messages,
                                                    const std::string& how);

}  // namespace cilk2chan
