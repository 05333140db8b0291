#pragma once

#include <cstdint>  // fixed-width integers
#include <memory>   // unique_ptr
#include <vector>   // vector

#include "runtime/aggregator/flight_record.hpp"
#include "runtime/aggregator/run_context.hpp"

namespace channels::detail {

/// The flights of one run. Invariant: `count` and `lanes` are the number and the elements of the
/// flights that were `dispatched` and have not `ended`, and each channel and level counts its own.
/// Records are used again, so a batch allocates nothing once as many have been in flight.
class flight_table {
 public:
  explicit flight_table(const run_context& run) : run_(run) {}

  /// A record for a batch of `source`, without elements or outputs. `alone`: nothing else is in
  /// flight.
  flight_record& make(channel_state& source, ready_kind what, bool alone);
  /// Counts `f`, which has its elements and outputs and is about to go to the device.
  void dispatched(flight_record& f) {
    f.promised = f.promises.data();
    f.work.outputs = f.bound_outputs.data();
    f.work.output_count = static_cast<std::uint32_t>(f.bound_outputs.size());
    ++f.source->in_flight;
    ++run_.table.in_flight(f.source->level);
    ++count_;
    lanes_ += f.work.count;
  }
  /// Counts `f` no more: it has come back from the device.
  void ended(const flight_record& f) {
    --count_;
    lanes_ -= f.work.count;
    --f.source->in_flight;
    --run_.table.in_flight(f.source->level);
  }
  /// Makes the elements of `f` that were not consumed ready again.
  void put_back(const flight_record& f);
  /// Enqueues what `f` reports to have written, gives up what it was promised, reads its channels
  /// anew, and frees the record.
  void close(flight_record& f);

  [[nodiscard]] std::uint32_t count() const { return count_; }
  /// Elements in flight.
  [[nodiscard]] std::uint64_t lanes() const { return lanes_; }

 private:
  const run_context& run_;
  std::vector<std::unique_ptr<flight_record>> all_;
  std::vector<flight_record*> unused_;
  std::uint32_t count_ = 0;
  std::uint64_t lanes_ = 0;
};

}  // namespace channels::detail
