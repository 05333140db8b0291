#pragma once

#include "analysis/usage.hpp"
#include "frontend/program.hpp"

namespace cilk2chan {

/// `code` with loops that walk made into loops that count: `while (n-- > 0) sum += *in++;` becomes
/// one over the number of its iterations, in which `in` is where the loop found it, plus that
/// number. Behind it the variables get the values that they would have. `usage`: of the function
/// around. Returns the same code if there is nothing of the kind.
[[nodiscard]] clang::Stmt* with_counted_loops(const program& source, clang::Stmt* code,
                                              const variable_usage& usage);

}  // namespace cilk2chan
