#pragma once

#include <cstdint>  // fixed-width integers
#include <vector>   // vector

namespace channels::detail {

/// A device's clock in our ticks. What the two have to do with each other comes from what is known
/// of batches anyway: one begins after it was handed over, and ends before that was seen. The
/// narrowest of such bounds are microseconds apart; they widen again with time, for clocks drift.
class device_clock {
 public:
  device_clock();

  /// A batch was handed over at `handed` and seen to have ended at `seen`, in ticks. By the
  /// device's clock, in nanoseconds, it took from `began` to `ended`.
  void learn(std::uint64_t handed, std::uint64_t began, std::uint64_t ended, std::uint64_t seen);
  [[nodiscard]] bool knows() const { return !fits_.empty(); }
  /// That moment in ticks. Something must be known.
  [[nodiscard]] std::uint64_t ticks_at(std::uint64_t ns) const;

 private:
  struct fit {
    std::uint64_t from;  ///< nanoseconds: since when it is the best
    double offset;       ///< ticks, from both origins
  };

  [[nodiscard]] double ticks_from_origin(std::uint64_t ns) const;

  double ticks_per_ns_;
  std::uint64_t origin_ns_ = 0;
  std::uint64_t origin_ticks_ = 0;
  std::uint64_t last_ = 0;  ///< ticks, when it learnt last
  double least_ = 0;        ///< the offset is at least that
  double most_ = 0;
  std::vector<fit> fits_;
};

}  // namespace channels::detail
