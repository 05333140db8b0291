#pragma once

#include "tasks/node_text.hpp"

#include <string>

namespace cilk2chan {

/// Whether `variable` has a value after its declaration.
[[nodiscard]] bool has_initial_value(const clang::VarDecl* variable);

/// The text to assign to `variable` where it is declared without its initialiser; empty if it has
/// none.
[[nodiscard]] std::string initial_value(const program& source, const node_text& editor,
                                        const clang::VarDecl* variable);

}  // namespace cilk2chan
