#pragma once

#include <chrono>   // steady_clock
#include <cstdint>  // fixed-width integers

#include "channels/detail/model.hpp"
#include "channels/detail/running_time.hpp"
#include "channels/settings.hpp"
#include "runtime/aggregator/aggregator.hpp"
#include "runtime/observe/progress_line.hpp"

namespace channels::detail {

/// Watches one run at a time from a thread that waits for its end: shows how far it is, and notices
/// when nothing goes on. Invariant: `still_` began when the run's progress was last seen to differ
/// from before. One thread at a time calls it.
class run_watch {
 public:
  explicit run_watch(const settings& options) : options_(options) {}

  void begin(const aggregator& run, const graph_model& model);
  /// Draws the progress line, and writes the file of `settings::graph` now and then.
  void show(const aggregator& run);
  /// Whether nothing has gone on for `settings::timeout`.
  [[nodiscard]] bool is_stuck(const aggregator& run);
  /// Takes the progress line away.
  void end() { line_.end(); }

 private:
  using clock = std::chrono::steady_clock;

  const settings& options_;
  progress_line line_;
  std::uint64_t seen_ = 0;  ///< the run's progress when it last moved
  running_time still_;
  clock::time_point drawn_;  ///< when the file of `settings::graph` was last written
};

}  // namespace channels::detail
