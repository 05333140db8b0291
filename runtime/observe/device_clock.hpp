#pragma once

#include <cstdint>  // fixed-width integers
#include <vector>   // vector

namespace channels::detail {

/// Turns moments of a device's clock into our ticks. The offset of the two clocks comes from
/// batches: one begins after it was handed over, and ends before its end was seen. The narrowest of
/// these bounds are microseconds apart. They widen with time, since clocks drift.
class device_clock {
 public:
  device_clock();

  /// A batch was handed over at `handed` and seen to have ended at `seen`, in ticks. By the
  /// device's clock, in nanoseconds, it took from `began` to `ended`.
  void learn(std::uint64_t handed, std::uint64_t began, std::uint64_t ended, std::uint64_t seen);
  [[nodiscard]] bool knows() const { return !fits_.empty(); }
  /// The moment `ns` of the device's clock in ticks. `knows()` must hold.
  [[nodiscard]] std::uint64_t ticks_at(std::uint64_t ns) const;

 private:
  struct fit {
    std::uint64_t from;  ///< nanoseconds: the moment from which this fit is the best
    double offset;       ///< ticks, from both origins
  };

  [[nodiscard]] double ticks_from_origin(std::uint64_t ns) const;

  double ticks_per_ns_;
  std::uint64_t origin_ns_ = 0;
  std::uint64_t origin_ticks_ = 0;
  std::uint64_t last_ = 0;  ///< ticks: when `learn` was called last
  double least_ = 0;        ///< a lower bound of the offset
  double most_ = 0;         ///< an upper bound of the offset
  std::vector<fit> fits_;
};

}  // namespace channels::detail
