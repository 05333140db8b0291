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

/// Every number that tunes a runtime: its default, unit and reason. A value here gives way to the
/// environment when the settings come from `from_environment`, and code may change the result.
struct settings {
  /// Which device runs the batches. `CHANNELS_DEVICE`; only "host" exists today.
  std::string device = "host";
  /// Compute units: host threads that run batches, the aggregator's own among them. 0 takes one for
  /// each core. `CHANNELS_CUS`.
  unsigned compute_units = 0;
  /// Lanes of a wavefront, 8 to 64. On the host it is the grain at which a batch looks up: whether
  /// the run was stopped, and how many lanes had work. `CHANNELS_WIDTH`.
  unsigned wavefront_width = 64;
  /// Bytes that all channels of a run may take together. Only what a run needs is touched.
  /// `CHANNELS_MEMORY`, with K, M or G.
  std::uint64_t memory = std::uint64_t{256} << 20U;
  /// Most elements of one channel of a stack; a power of two. Two levels and their frames should
  /// fit the cache nearest to a compute unit. `CHANNELS_CAPACITY`.
  std::uint32_t capacity = 16384;
  /// Most levels of recursion; 0 leaves it to memory. `CHANNELS_LEVELS`.
  std::uint32_t levels = 0;
  /// Most elements of one batch. Larger batches amortise the aggregator, smaller ones share better.
  /// `CHANNELS_BATCH`.
  std::uint32_t batch = 8192;
  /// Elements that share a done count; a power of two (paper, section 8.2.1).
  /// `CHANNELS_DONE_GROUP`.
  std::uint32_t done_group = 64;
  /// `CHANNELS_READINESS`: levelized or counted. Levelized is the faster on the host
  /// (docs/results.md).
  readiness rule = readiness::levelized;
  /// A run in which nothing has ended for this long is stopped with a report. `CHANNELS_TIMEOUT`,
  /// in seconds.
  std::chrono::milliseconds timeout{30'000};
  /// Probability, 0 to 0.9, that a reservation is refused although there is room: tests the ways of
  /// yielding. `CHANNELS_FORCE_YIELD`.
  double force_yield = 0;
  /// `CHANNELS_ORDER`: depth-first or channels.
  run_order order = run_order::depth_first;
  /// `CHANNELS_GIVE`: auto, always, never or random.
  giving give = giving::automatic;
  /// Seeds the refusals and the random giving above; how often children are given is drawn from it
  /// too. `CHANNELS_SEED`.
  std::uint64_t seed = 1;
  /// What a Cilk program prints to stderr when it ends: "" nothing, "1" a table, "json" JSON;
  /// anything else is a file that gets the JSON. `CHANNELS_STATS`.
  std::string statistics;

  /// The defaults, changed by the `CHANNELS_*` variables that are set. Throws `channels::error` for
  /// a value that makes no sense, naming the variable.
  static settings from_environment();
  /// One line for each variable: name, meaning, default.
  static std::string help();
  /// Throws `channels::error` that names the first setting with a value that cannot be used.
  void check() const;
};

}  // namespace channels
