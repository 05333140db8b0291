#pragma once

#include "channels/config.hpp"  // CHANNELS_CXX20
#if CHANNELS_CXX20

#include <chrono>    // milliseconds
#include <cstdint>   // fixed-width integers
#include <optional>  // optional
#include <string>    // string

#include "channels/readiness.hpp"

namespace channels {

/// Which spawns of a program's host code offer their child to other workers (channels/cilk/abi.h).
/// `automatic`: as other workers ask for them. The others force a schedule, for tests, with any
/// number of workers: all spawns, none, or some at random.
enum class giving : std::uint8_t { automatic, always, never, random };

/// How a compiled program runs the functions that have both forms. `depth_first`: as host code,
/// each child at its spawn unless another worker takes it. `channels`: as tasks that wait in
/// channels, breadth-first, bounded by memory.
enum class run_order : std::uint8_t { depth_first, channels };

/// Where the aggregator is: on a thread of the host, or on the device, beside the work. On the
/// device it decides as long as nothing out of the ordinary happens. The host takes over for what
/// finds no room and to make channels.
enum class aggregator_place : std::uint8_t { host, device };
using aggregator_home [[deprecated("use aggregator_place")]] = aggregator_place;

/// What `settings::aggregator` was called before version 0.2. It works in this version.
struct former_home {
  [[deprecated("settings::home is settings::aggregator")]] former_home& operator=(
      aggregator_place place) {
    chosen = place;
    return *this;
  }
  std::optional<aggregator_place> chosen;
};

/// Which built-in policy a run through channels uses (scheduling.hpp). `automatic`: for graphs
/// without levels `first_come`; for graphs with levels and no frames `level_first`; with frames,
/// as all calls of tasks have them, `level_first` by the levelized rule on other devices than the
/// host, else `bounded_breadth_first`.
enum class policy_choice : std::uint8_t {
  automatic,
  bounded_breadth_first,
  first_come,
  level_first,
};

/// All numbers that tune a runtime. `from_environment` changes the defaults here by the
/// environment, and code may change the result. runtime/settings/table.cpp has a row for each
/// member: its variable, its meaning and the values that it takes.
struct settings {
  /// The device that runs the tasks: "host", or for a compiled program one that it was compiled
  /// for: "cuda", "hip" or "emulated", or "auto": each call chooses. `CHANNELS_DEVICE`.
  std::string device = "host";
  /// GPUs that a call uses: how many, such as "2", or which, such as "0,1". "" takes all that reach
  /// each other's memory; of the emulated device one. Calls whose tasks cannot travel between GPUs
  /// use the first of them. `CHANNELS_DEVICES`.
  std::string devices;
  /// Compute units. On the host, threads that run batches, the aggregator's own among them. 0 takes
  /// one for each core. `CHANNELS_CUS`.
  unsigned compute_units = 0;
  /// Lanes of a wavefront, 8 to 64. On the host a batch checks after each wavefront whether the run
  /// was stopped, and counts how many lanes had work. `CHANNELS_WIDTH`.
  unsigned wavefront_width = 64;
  /// Bytes that all channels of a run, or the tasks of a GPU's own scheduler, may take together.
  /// Only what a run needs is touched. 0, the default on a GPU, leaves it to the device: for
  /// channels an eighth of what is free there, at most 8 GB, since batches that fill a GPU need
  /// more memory than those of a host; for its own scheduler two fifths, at most 32 GB.
  /// `CHANNELS_MEMORY`.
  std::uint64_t memory = usual_memory;
  static constexpr std::uint64_t usual_memory = std::uint64_t{256} << 20U;
  /// Most elements of one channel; a power of two. Two levels and their frames should fit the cache
  /// nearest to a compute unit. The default on a GPU is 1048576. `CHANNELS_CAPACITY`.
  std::uint32_t capacity = 16384;
  /// Most levels of recursion; 0 leaves it to memory. `CHANNELS_LEVELS`.
  std::uint32_t levels = 0;
  /// Most elements of one batch. Larger batches need fewer decisions, smaller ones share better.
  /// The default on a GPU is 262144. `CHANNELS_BATCH`.
  std::uint32_t batch = 8192;
  /// Elements that share a done count; a power of two (paper, section 8.2.1).
  /// `CHANNELS_DONE_GROUP`.
  std::uint32_t done_group = 64;
  /// When frames may be resumed. Levelized is faster on the host (docs/evaluation/host.md).
  /// `CHANNELS_READINESS`.
  readiness rule = readiness::levelized;
  /// The policy of runs through channels, where a graph or a call has none of its own.
  /// `CHANNELS_POLICY`.
  policy_choice policy = policy_choice::automatic;
  /// A run in which nothing has ended for this long is stopped with an error. `CHANNELS_TIMEOUT`,
  /// in seconds.
  std::chrono::milliseconds timeout{30'000};
  /// Probability, 0 to 0.9, that a reservation is refused although there is room: to test yields.
  /// `CHANNELS_FORCE_YIELD`.
  double force_yield = 0;
  /// How many times as long the aggregator takes for all that it does, 1 to 1000: what a slower
  /// core would cost (paper, section 8.3). For measurements. `CHANNELS_SLOW_AGGREGATOR`.
  double slow_aggregator = 1;
  /// Where the aggregator of a GPU is. `CHANNELS_AGGREGATOR`.
  aggregator_place aggregator = aggregator_place::host;
  former_home home;
  /// How a compiled program's functions run on the host. `CHANNELS_ORDER`.
  run_order order = run_order::depth_first;
  /// Which spawns of host code offer their child to other workers. `CHANNELS_GIVE`.
  giving give = giving::automatic;
  /// Whether to measure work and span of host code, for the statistics: one thread then runs each
  /// child at its spawn, and looks at the clock before and after. `CHANNELS_SPAN`.
  bool span = false;
  /// Seeds the refusals of `force_yield`, random giving, and how often children are given.
  /// `CHANNELS_SEED`.
  std::uint64_t seed = 1;
  /// Most bytes that a compiled program may allocate where a device cannot read all memory of the
  /// host, and it and the device share what is allocated. 0: half of what is free on the device.
  /// `CHANNELS_HEAP`.
  std::uint64_t heap = 0;
  /// Bytes at most for what device code itself allocates with malloc or new. 0: as much as is free
  /// on the device; only what is used takes memory. `CHANNELS_DEVICE_MALLOC`.
  std::uint64_t device_malloc = 0;
  /// Bytes of a lane's stack on a device, for functions that are not tasks and call themselves. If
  /// there are any, taken for every lane that the device can have. `CHANNELS_DEVICE_STACK`.
  std::uint64_t device_stack = std::uint64_t{8} << 10U;
  /// What a program prints to stderr when it ends, of the runs of all runtimes with this value: ""
  /// nothing, "1" a table, "json" JSON. "json:FILE", or a name with a slash or a dot, is a file for
  /// the JSON. `CHANNELS_STATS`.
  std::string statistics;
  /// A file for the trace of a run, in the Trace Event format, which Perfetto opens; "" for none.
  /// `CHANNELS_TRACE`.
  std::string trace;
  /// Slots of each track of a trace, a power of two. A slot has 32 bytes; an event takes one or
  /// two, and replaces the oldest. `CHANNELS_TRACE_EVENTS`.
  std::uint32_t trace_events = 65536;
  /// A file for the graph of the run, in the DOT language, with what its channels hold: written
  /// every second while it runs, and with its totals when it ends. "" for none. `CHANNELS_GRAPH`.
  std::string graph;
  /// Whether long runs show a progress line on a terminal. `gpu::caller` has `watch` for that.
  /// `CHANNELS_PROGRESS`.
  bool progress = false;

  /// Whether anything needs the times of batches and of the aggregator's phases.
  [[nodiscard]] bool observed() const {
    return !statistics.empty() || !trace.empty() || !graph.empty();
  }

  /// `memory`, or `usual_memory` where `memory` is 0.
  [[nodiscard]] std::uint64_t memory_or_usual() const {
    return memory != 0 ? memory : usual_memory;
  }

  /// The defaults, changed by the `CHANNELS_*` variables that are set. Throws `channels::error` for
  /// a value that cannot be used, naming the variable and the value, and for a `CHANNELS_*`
  /// variable that is no setting, with the nearest name.
  static settings from_environment();
  /// What `CHANNELS_HELP` prints: for each variable its name, meaning and default.
  static std::string help();
  /// Throws `channels::error` that names the first setting with a value that cannot be used.
  void check() const;
};

}  // namespace channels

#endif
