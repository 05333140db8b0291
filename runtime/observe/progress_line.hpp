#pragma once

#include <chrono>  // steady_clock
#include <string>  // string

#include "runtime/aggregator/aggregator.hpp"

namespace channels::detail {

/// The line of a terminal that says how far a long run is. It is rewritten in place, taken away at
/// the end, and not there where stderr is no terminal.
class progress_line {
 public:
  using clock = std::chrono::steady_clock;

  /// A run called `name` begins, with so many bytes for channels. `wanted`: by the settings.
  void begin(std::string name, std::uint64_t memory, bool wanted);
  /// `far`: now. Draws if the last time is long enough ago.
  void show(const run_progress& far);
  /// The run has ended.
  void end();

 private:
  bool on_ = false;
  bool drawn_ = false;
  std::string name_;
  std::uint64_t memory_ = 0;
  clock::time_point start_;
  clock::time_point shown_;
  std::uint64_t tasks_shown_ = 0;
};

/// The text of the line. `rate`: tasks per second.
[[nodiscard]] std::string progress_text(const std::string& name, const run_progress& far,
                                        double rate, std::uint64_t memory, double seconds);

}  // namespace channels::detail
