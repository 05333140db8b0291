#pragma once

#include <cstdint>  // uint64_t

namespace channels::testing {

/// Kinds of programs that are simulated.
inline constexpr const char* kinds[] = {"graph",     "tasks", "stopped",
                                        "host_code", "loops", "threads"};
inline constexpr unsigned number_of_kinds = sizeof kinds / sizeof *kinds;

/// Runs a program of this kind, drawn by the seed, and compares what it computes with what it must.
/// What is wrong is GoogleTest's failure. `threads_may_lack`: errors that say so are right, too.
void run_program(unsigned kind, std::uint64_t seed, bool threads_may_lack);

}  // namespace channels::testing
