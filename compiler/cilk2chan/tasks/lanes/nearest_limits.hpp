#pragma once

#include "frontend/program.hpp"

namespace cilk2chan {

/// `code` with loops of several limits made into loops of one: `i < a && base + i < b` becomes
/// `i < (a < b - base ? a : b - base)`, in a type that holds what is computed. Returns the same
/// code if there is nothing of the kind.
[[nodiscard]] clang::Stmt* with_nearest_limits(const program& source, clang::Stmt* code);

}  // namespace cilk2chan
