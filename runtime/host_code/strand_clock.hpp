#pragma once

#include <algorithm>  // max
#include <cstdint>    // fixed-width integers

#include "runtime/observe/ticks.hpp"

namespace channels::host_code {

/// Measures the work and the span of what one thread runs, if `CHANNELS_SPAN` asks for it: work is
/// the time of all strands, span that of the longest chain of strands of which each has to wait for
/// the one before (Cilkview, He, Leiserson and Leiserson, SPAA 2010). All spawns then run their
/// child at once, and the runtime stops the clock while it is at its own work. Only its own thread
/// uses a clock. All times are in ticks.
class strand_clock {
 public:
  /// Starts the first strand.
  void begin() {
    on_ = true;
    go_on();
  }
  [[nodiscard]] bool is_on() const { return on_; }

  void stop() {
    if (!runs_) return;
    runs_ = false;
    const std::uint64_t took = detail::ticks() - since_;
    work_ += took;
    path_ += took;
  }
  void go_on() {
    if (!on_) return;
    runs_ = true;
    since_ = detail::ticks();
  }

  /// The longest chain of strands that ends here.
  [[nodiscard]] std::uint64_t path() const { return path_; }
  /// The next strand follows the one at whose end `path` was this.
  void continue_from(std::uint64_t path) { path_ = path; }
  /// The next strand follows also a child whose path ended at `path`.
  void join(std::uint64_t path) { path_ = std::max(path_, path); }

  [[nodiscard]] std::uint64_t work() const { return work_; }

  /// The runtime is at its own work.
  class pause {
   public:
    explicit pause(strand_clock& of) : clock_(of) { of.stop(); }
    pause(const pause&) = delete;
    pause& operator=(const pause&) = delete;
    ~pause() { clock_.go_on(); }

   private:
    strand_clock& clock_;
  };
  /// The program is at work, within a `pause`.
  class strand {
   public:
    explicit strand(strand_clock& of) : clock_(of) { of.go_on(); }
    strand(const strand&) = delete;
    strand& operator=(const strand&) = delete;
    ~strand() { clock_.stop(); }

   private:
    strand_clock& clock_;
  };

 private:
  bool on_ = false;
  bool runs_ = false;
  std::uint64_t since_ = 0;  ///< the strand that runs began, or went on, here
  std::uint64_t work_ = 0;
  std::uint64_t path_ = 0;
};

/// The clock of this thread. It is on in the program's main thread alone.
extern thread_local constinit strand_clock this_clock;

}  // namespace channels::host_code
