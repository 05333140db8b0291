#pragma once

#include <chrono>   // steady_clock
#include <cstdint>  // uint64_t
#include <string>   // string

#include "channels/detail/call_progress.hpp"
#include "channels/detail/run_progress.hpp"

namespace channels::detail {

/// How far host code is.
struct code_progress {
  std::uint64_t given = 0;    ///< children given to other workers
  std::uint32_t working = 0;  ///< workers that run something
  std::uint32_t workers = 0;  ///< workers that there may be
};

/// The progress line: says on a terminal how far a long run is. It is rewritten in place and erased
/// at the end. Nothing is drawn if stderr is not a terminal.
class progress_line {
 public:
  using clock = std::chrono::steady_clock;

  /// A run called `name` begins, with `memory` bytes for channels. `wanted`: the settings ask for
  /// the line.
  void begin(std::string name, std::uint64_t memory, bool wanted);
  /// `far`: how far the run is now. Draws if the last drawing is long enough ago.
  void show(const run_progress& far);
  void show(const call_progress& far);
  void show(const code_progress& far);
  /// Erases the line until it is shown again.
  void hide();
  /// The run has ended.
  void end();

 private:
  [[nodiscard]] bool is_due(clock::time_point now) const;
  /// `what`: what is counted.
  void draw(clock::time_point now, std::uint64_t count, const char* what, const std::string& where);

  bool on_ = false;
  bool drawn_ = false;
  std::string name_;
  std::uint64_t memory_ = 0;
  clock::time_point start_;
  clock::time_point shown_;
  std::uint64_t count_shown_ = 0;
};

}  // namespace channels::detail
