#pragma once

#include <chrono>  // steady_clock

namespace channels::detail {

/// Makes the aggregator take `factor` times as long for all that it does, as on a slower core
/// (paper, section 8.3), for measurements. A factor of 1 changes nothing.
class slow_core {
 public:
  explicit slow_core(double factor) : factor_(factor) {}

  /// The aggregator begins to work.
  void begin() {
    if (factor_ > 1) since_ = clock::now();
  }
  /// Waits until the time since `begin`, or since the last call, has been stretched. Called before
  /// others see what the aggregator did in that time.
  void catch_up() {
    if (factor_ <= 1) return;
    const auto worked = std::chrono::duration<double>(clock::now() - since_);
    const auto until = since_ + std::chrono::duration_cast<clock::duration>(worked * factor_);
    while (clock::now() < until) {
    }
    since_ = clock::now();
  }

 private:
  using clock = std::chrono::steady_clock;

  double factor_;
  clock::time_point since_ = clock::now();
};

}  // namespace channels::detail
