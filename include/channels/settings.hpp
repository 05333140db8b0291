#pragma once

#include <chrono>   // milliseconds
#include <cstdint>  // fixed-width integers
#include <string>   // string

namespace channels {

/// When a post-spawn frame may run (design: levelized needs no atomics but waits for whole levels;
/// counted waits for nobody but pays an atomic for each child).
enum class readiness : std::uint8_t { levelized, counted };

/// Which spawns of a program's host code give their child to whoever takes it (cilk_abi.h):
/// `automatic` as other workers ask for them; the others force a schedule, for tests, with any
/// number of workers: all, none, or some at random.
enum class giving : std::uint8_t { automatic, always, never, random };

/// In which order a compiled program's functions run that have both forms: as host code, each child
/// at its spawn unless another worker takes it; or as tasks that wait in channels, breadth-first,
/// bounded by memory.
enum class run_order : std::uint8_t { depth_first, channels };

/// Where the aggregator is: on a thread of the host, or on the device, beside the work. There it
/// decides as long as nothing out of the ordinary happens; what finds no room, and channels that
/// have to be made, come to the host for a moment.
enum class aggregator_place : std::uint8_t { host, device };

/// Every number that tunes a runtime: its default, unit and reason. A value here gives way to the
/// environment when the settings come from `from_environment`, and code may change the result.
struct settings {
  /// Which device runs the tasks: "host", or for a compiled program one that it was compiled for,
  /// "cuda", "hip" or "emulated". `CHANNELS_DEVICE`.
  std::string device = "host";
  /// Compute units: host threads that run batches, the aggregator's own among them. 0 takes one for
  /// each core. `CHANNELS_CUS`.
  unsigned compute_units = 0;
  /// Lanes of a wavefront, 8 to 64. On the host it is the grain at which a batch looks up: whether
  /// the run was stopped, and how many lanes had work. `CHANNELS_WIDTH`.
  unsigned wavefront_width = 64;
  /// Bytes that all channels of a run may take together. Only what a run needs is touched.
  /// `CHANNELS_MEMORY`, with K, M or G. 0, the default on a GPU, leaves it to the device: for
  /// channels an eighth of what is free there, at most 8 GB, since batches that fill a GPU want
  /// more than those of a host; for tasks by its own scheduler `usual_memory`.
  std::uint64_t memory = usual_memory;
  static constexpr std::uint64_t usual_memory = std::uint64_t{256} << 20U;
  /// Most elements of one channel of a stack; a power of two. Two levels and their frames should
  /// fit the cache nearest to a compute unit. `CHANNELS_CAPACITY`, by default 1048576 on a GPU.
  std::uint32_t capacity = 16384;
  /// Most levels of recursion; 0 leaves it to memory. `CHANNELS_LEVELS`.
  std::uint32_t levels = 0;
  /// Most elements of one batch. Larger batches amortise the aggregator, smaller ones share better.
  /// `CHANNELS_BATCH`, by default 262144 on a GPU.
  std::uint32_t batch = 8192;
  /// Elements that share a done count; a power of two (paper, section 8.2.1).
  /// `CHANNELS_DONE_GROUP`.
  std::uint32_t done_group = 64;
  /// `CHANNELS_READINESS`: levelized or counted. Levelized is the faster on the host
  /// (docs/evaluation/host.md).
  readiness rule = readiness::levelized;
  /// A run in which nothing has ended for this long is stopped with a report. `CHANNELS_TIMEOUT`,
  /// in seconds.
  std::chrono::milliseconds timeout{30'000};
  /// Probability, 0 to 0.9, that a reservation is refused although there is room: tests the ways of
  /// yielding. `CHANNELS_FORCE_YIELD`.
  double force_yield = 0;
  /// How many times as long as it would the aggregator takes for all that it does, 1 to 1000: what
  /// a slower core would cost (paper, section 8.3). For measurements. `CHANNELS_SLOW_AGGREGATOR`.
  double slow_aggregator = 1;
  /// `CHANNELS_AGGREGATOR`: host, or device for a GPU.
  aggregator_place aggregator = aggregator_place::host;
  /// `CHANNELS_ORDER`: depth-first or channels.
  run_order order = run_order::depth_first;
  /// `CHANNELS_GIVE`: auto, always, never or random.
  giving give = giving::automatic;
  /// Seeds the refusals and the random giving above; how often children are given is drawn from it
  /// too. `CHANNELS_SEED`.
  std::uint64_t seed = 1;
  /// Most bytes that a compiled program may allocate where a device cannot read all memory of the
  /// host, and it and the device share what is allocated. 0: half of what is free on the device.
  /// `CHANNELS_HEAP`, with K, M or G.
  std::uint64_t heap = 0;
  /// Bytes for what device code itself allocates with malloc or new; taken if it does.
  /// `CHANNELS_DEVICE_MALLOC`.
  std::uint64_t device_malloc = std::uint64_t{256} << 20U;
  /// Bytes of stack that a lane has on a device for functions that are no tasks and call
  /// themselves; taken, for every lane that the device can have, if there are such.
  /// `CHANNELS_DEVICE_STACK`.
  std::uint64_t device_stack = std::uint64_t{8} << 10U;
  /// What a Cilk program prints to stderr when it ends: "" nothing, "1" a table, "json" JSON;
  /// "json:FILE", or anything else, is a file that gets the JSON. `CHANNELS_STATS`.
  std::string statistics;
  /// A file for the trace of a run, in the Trace Event format, which Perfetto opens; "" for none.
  /// `CHANNELS_TRACE`.
  std::string trace;
  /// Most events that each track of a trace keeps, a power of two; the oldest give way. 48 bytes
  /// each. `CHANNELS_TRACE_EVENTS`.
  std::uint32_t trace_events = 65536;
  /// A file for the graph of the run, in the DOT language, with what its channels hold: written
  /// every second while it runs, and with its totals when it ends. "" for none. `CHANNELS_GRAPH`.
  std::string graph;
  /// Whether long runs show on a terminal how far they are; `gpu::caller` has `watch` for that.
  /// `CHANNELS_PROGRESS`.
  bool progress = false;

  /// Whether anybody asks for the times of batches and of the aggregator's phases.
  [[nodiscard]] bool observed() const {
    return !statistics.empty() || !trace.empty() || !graph.empty();
  }

  /// What `memory` is where no device chooses it.
  [[nodiscard]] std::uint64_t memory_or_usual() const {
    return memory != 0 ? memory : usual_memory;
  }

  /// The defaults, changed by the `CHANNELS_*` variables that are set. Throws `channels::error` for
  /// a value that makes no sense, naming the variable.
  static settings from_environment();
  /// One line for each variable: name, meaning, default.
  static std::string help();
  /// Throws `channels::error` that names the first setting with a value that cannot be used.
  void check() const;
};

}  // namespace channels
