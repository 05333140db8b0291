#pragma once

#include <array>    // array
#include <cstdint>  // fixed-width integers
#include <memory>   // shared_ptr
#include <string>   // string
#include <vector>   // vector

#include "channels/detail/logging_device.hpp"
#include "channels/detail/model.hpp"
#include "runtime/aggregator/ended_batch.hpp"
#include "runtime/observe/phases.hpp"
#include "runtime/observe/trace.hpp"

namespace channels::detail {

class channel_table;

/// Enters one run in a trace: the aggregator's phases, batches on their compute units, yields,
/// restarts, and what channels hold. Times are ticks. The aggregator's thread calls it.
class run_trace {
 public:
  /// Deeper levels share a counter.
  static constexpr std::uint32_t levels_apart = 64;

  /// `batches_on`: the name of the tracks of batches, "compute unit" if the device says on which
  /// unit they ran. `unit`: the name of the tracks of parts of batches, of a `logging_device`.
  run_trace(std::shared_ptr<trace_session> session, const graph_model& model,
            std::string batches_on, std::string unit, std::uint32_t width);
  run_trace(const run_trace&) = delete;
  run_trace& operator=(const run_trace&) = delete;
  ~run_trace() = default;

  /// The aggregator was in `what` from `start` to `end`; `start` is the last call's `end`. A turn
  /// of its loop, in which it may decide and dispatch several times, becomes one event.
  void in_phase(phase what, std::uint64_t start, std::uint64_t end) {
    const bool next = what < last_phase_ && last_phase_ >= phase::lent;
    if (next || turn_ticks_ + (end - start) > longest_turn) {
      start = begin_turn(what, start, end);
    }
    turn& now = turns_[turn_count_];
    if (turn_ticks_ == 0) now.start = start;
    now.ticks[static_cast<std::size_t>(what)] += static_cast<std::uint32_t>(end - start);
    turn_ticks_ += end - start;
    last_phase_ = what;
  }
  /// A batch has ended.
  void ran(const ended_batch& b);
  /// Elements or frames of `node` that had yielded were dispatched again.
  void restarted(std::uint32_t node, std::uint32_t level, std::uint32_t count, std::uint64_t at);
  /// Enters what channels hold, unless that was entered a moment ago.
  void sample(const channel_table& table, std::uint64_t at) {
    if (at >= next_sample_) look(table, at);
  }
  /// Enters what channels hold.
  void look(const channel_table& table, std::uint64_t at);

  // These enter what a device with a clock of its own did. Times are ticks here, too, unless a
  // comment says otherwise.

  /// A batch that the device aggregator dispatched.
  void ran(const device_batch& b, std::uint64_t start, std::uint64_t end);
  /// A decision of the device aggregator.
  void decided(std::uint64_t start, std::uint64_t end);
  /// A channel of this stack and level holds `more` elements more, modulo 2^64, since `at`.
  void changed(std::uint32_t stack, std::uint32_t level, std::uint64_t more, std::uint64_t at);
  /// Parts of batches on their compute units, of a run that began at `start`; by the device's
  /// clock. Another thread reads them from `from` later: see `trace_session::keep`.
  void worked(const noted_work& work, const logging_device& from, const device_clock& clock,
              std::uint64_t start);
  /// Nothing is read from a device any more.
  void finish_reading() { session_->finish_reading(); }
  /// `count` events before `at` are lost.
  void dropped(std::uint64_t count, std::uint64_t at);

  /// The run has ended.
  void end(const channel_table& table, std::uint64_t start, std::uint64_t end);

 private:
  /// In ticks: what 32 bits hold.
  static constexpr std::uint64_t longest_turn = ~std::uint32_t{0};

  /// Ticks by phase. Turns are entered many at a time, as batches are: see `ended_batch`.
  struct turn {
    std::uint64_t start;
    std::array<std::uint32_t, phase_names.size()> ticks;
  };

  struct node_labels {
    std::uint32_t batch, restarted_batch, retry, yield, restart;
  };
  struct fill {
    std::uint64_t elements = 0;  ///< as of now
    std::uint64_t entered = 0;
    std::uint32_t label = 0;
    bool seen = false;
    bool labelled = false;
  };

  std::uint64_t begin_turn(phase what, std::uint64_t start, std::uint64_t end);
  void end_turn();
  void put_turns();
  void enter_fill(std::uint32_t stack, std::uint32_t level);
  void put_fills(std::uint64_t at);
  [[nodiscard]] trace_track& unit(std::uint32_t number);

  std::shared_ptr<trace_session> session_;
  const graph_model& model_;
  std::string batches_on_;
  std::string unit_;
  std::uint32_t width_;
  trace_track& aggregator_;
  trace_track* deciding_ = nullptr;  ///< of the device aggregator
  std::uint32_t decide_label_ = 0;
  std::vector<trace_track*> units_;
  std::vector<node_labels> nodes_;
  std::vector<std::vector<fill>> fills_;  ///< by stack and level
  std::uint64_t next_sample_ = 0;
  double between_samples_ = 0;  ///< nanoseconds
  double ticks_per_ns_ = 1;
  std::array<labelled_value, counters_of_an_event> fills_left_;  ///< not entered yet
  std::size_t fills_left_count_ = 0;
  phase last_phase_ = phase::collect;
  std::uint32_t turn_count_ = 0;  ///< turns of `turns_` that have ended; the next one goes on
  std::uint64_t turn_ticks_ = 0;  ///< of the turn that goes on
  std::array<turn, 64> turns_{};
};

}  // namespace channels::detail
