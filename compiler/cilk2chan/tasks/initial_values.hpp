#pragma once

#include "tasks/node_text.hpp"

#include <string>

namespace cilk2chan {

/// Whether declaring `variable` gives it a value.
[[nodiscard]] bool has_initial_value(const clang::VarDecl* variable);

/// What to assign to `variable` where it is declared without its initialiser; nothing if it has
/// none.
[[nodiscard]] std::string initial_value(const program& source, const node_text& editor,
                                        const clang::VarDecl* variable);

}  // namespace cilk2chan
