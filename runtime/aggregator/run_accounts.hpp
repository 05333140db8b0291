#pragma once

#include <array>     // array
#include <cstdint>   // fixed-width integers
#include <memory>    // unique_ptr, shared_ptr
#include <optional>  // optional
#include <utility>   // move
#include <vector>    // vector

#include "channels/detail/handover.hpp"
#include "channels/statistics.hpp"
#include "runtime/aggregator/ended_batch.hpp"
#include "runtime/aggregator/flight_record.hpp"
#include "runtime/aggregator/run_context.hpp"
#include "runtime/aggregator/run_trace.hpp"
#include "runtime/observe/device_clock.hpp"
#include "runtime/observe/phases.hpp"
#include "runtime/observe/ticks.hpp"

namespace channels::detail {

/// What the aggregator counts of one run: statistics, the trace, and the time by phase. Invariant:
/// of a timed run, each tick from `begin` to the last `count_time` is in exactly one phase. The
/// aggregator's thread calls all of it.
class run_accounts {
 public:
  /// `trace`: null unless the run is traced.
  run_accounts(const run_context& run, std::shared_ptr<trace_session> trace);

  [[nodiscard]] bool timed() const { return timed_; }
  [[nodiscard]] bool traced() const { return trace_ != nullptr; }
  /// Elements consumed by work and pre-spawn nodes so far.
  [[nodiscard]] std::uint64_t tasks() const { return tasks_; }
  /// Frames and elements that found no room or memory so far.
  [[nodiscard]] std::uint64_t yields() const { return yields_; }
  /// After `end`.
  [[nodiscard]] const statistics& counted() const { return statistics_; }

  void begin() {
    start_ = device::clock::now();
    if (timed_) phase_start_ = start_ticks_ = ticks();
  }
  /// Counts the time since the last call for `what`.
  void count_time(phase what) {
    if (timed_) count_time(what, ticks());
  }
  /// The same for the time in which the aggregator's thread lent itself. `ran`: it ran a batch.
  void count_lent(bool ran) {
    if (!timed_) return;
    if (ran) {
      count_time(phase::lent, run_.on.lent_until());
    } else {
      count_time(phase::idle, ticks());
    }
  }
  /// Enters in the trace what channels hold, now and then.
  void sample() {
    if (trace_ != nullptr) trace_->sample(run_.table, phase_start_);
  }

  void batch_dispatched(flight_record& f);
  void batch_ended(flight_record& f);
  /// `count` elements or frames of `c` that had yielded or found no room are dispatched again.
  void restarted(const channel_state& c, std::uint32_t count);
  /// A batch was smaller than what was ready, for lack of room.
  void cut_by_room() { ++statistics_.cut_by_room; }
  /// So many elements were parked in the run.
  void parked(std::uint64_t elements) { statistics_.parked = elements; }
  /// What went between this place and the others.
  void take_links(std::vector<link_statistics> links) { statistics_.links = std::move(links); }
  void yielded() { ++yields_; }
  void handover_began();
  /// `h`: what the device has handed back. The table is still as it was at the start.
  void handover_ended(const handover& h);

  /// `work`: what kernel nodes counted; the device has ended the run.
  void take_work(const work_counters& work);
  /// Completes the statistics and the trace.
  void end();

 private:
  void count_time(phase what, std::uint64_t now) {
    phase_ticks_[static_cast<std::size_t>(what)] += now - phase_start_;
    if (trace_ != nullptr) trace_->in_phase(what, phase_start_, now);
    phase_start_ = now;
  }
  void keep(flight_record& f);
  void estimate_times(flight_record& f);
  void book_batches();
  void trace_handover(const handover& h);
  void turn_ticks_into_time();

  const run_context& run_;
  bool timed_;
  std::unique_ptr<run_trace> trace_;
  std::optional<device_clock> device_clock_;  ///< if the device does not time batches in ticks
  device::clock::time_point start_;
  std::uint64_t start_ticks_ = 0;
  std::uint64_t phase_start_ = 0;  ///< in ticks: the end of the last phase
  std::array<std::uint64_t, phase_names.size()> phase_ticks_{};
  std::uint64_t handover_began_ = 0;  ///< in ticks
  std::uint64_t tasks_ = 0;
  std::uint64_t yields_ = 0;
  std::vector<ended_batch> ended_;  ///< batches that are not in statistics and trace yet
  statistics statistics_;
};

}  // namespace channels::detail
