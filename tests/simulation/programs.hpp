#pragma once

#include <cstdint>  // uint64_t
#include <vector>   // vector

namespace channels::testing {

/// Kinds of programs that are simulated.
inline constexpr const char* kinds[] = {"graph", "tasks",   "stopped", "host_code",
                                        "loops", "threads", "device"};
inline constexpr unsigned number_of_kinds = sizeof kinds / sizeof *kinds;

class dice;
/// A random graph on the emulated device, with the aggregator on either side.
void run_on_device(dice& d);
/// The kind that makes threads for the device, which ends the process where it lacks them.
inline constexpr unsigned device_kind = number_of_kinds - 1;

/// Runs a program of this kind, drawn by the seed, and compares what it computes with what it must.
/// What is wrong is GoogleTest's failure. `threads_may_lack`: errors that say so are right, too.
void run_program(unsigned kind, std::uint64_t seed, bool threads_may_lack);

/// What may grow in a program, and by how much its work may grow with it.
struct growth {
  const char* name;
  unsigned from, to;  ///< sizes
  double most;        ///< the work at `to`, in parts of the work at `from`, at most
  void (*run)(unsigned size);
};
extern const std::vector<growth> growths;

}  // namespace channels::testing
