#pragma once

#include <cstdint>  // fixed-width integers
#include <vector>   // vector

#include "runtime/net/parcel_header.hpp"

namespace channels::detail {

/// Finds out when a run has ended at all places (Mattern, "Algorithms for distributed termination
/// detection", 1987: the four counters). A wave asks all places how many elements they have sent to
/// others and how many of those from others they have consumed. Each counts as it happens, so one
/// wave may see an element's arrival and not its departure. But if all places are passive in two
/// waves, one after the other, and the four sums are equal, then nothing was on its way when the
/// first wave had ended, and nothing has begun since.
///
/// Place 0 has one. `tests/spin/termination.pml` is its model.
class termination_waves {
 public:
  enum class verdict : std::uint8_t { goes_on, perhaps_ended, ended };

  explicit termination_waves(std::uint32_t places) : reports_(places) {}

  [[nodiscard]] bool is_out() const { return missing_ != 0; }
  /// Begins a wave, and returns its number. None is out.
  std::uint64_t begin() {
    missing_ = static_cast<std::uint32_t>(reports_.size());
    return ++wave_;
  }
  [[nodiscard]] std::uint64_t number() const { return wave_; }
  /// The answer of one place. An answer to an earlier wave does not count.
  void take(std::uint32_t place, const wave_report& r) {
    if (missing_ == 0 || r.wave != wave_ || reports_[place].wave == wave_) return;
    reports_[place] = r;
    --missing_;
  }
  /// Whether only the answer of place 0 is missing, which it gives last.
  [[nodiscard]] bool waits_for_me() const { return missing_ == 1 && reports_[0].wave != wave_; }
  /// What the wave has found, when all answers are there.
  verdict judge() {
    wave_report sum;
    sum.passive = 1;
    for (const wave_report& r : reports_) {
      sum.sent += r.sent;
      sum.done += r.done;
      sum.progress += r.progress;
      sum.passive &= r.passive;
      sum.busy |= r.busy;
    }
    const wave_report before = last_;
    last_ = sum;
    moved_ = sum.busy != 0 || sum.progress != before.progress;
    if (sum.passive == 0 || sum.sent != sum.done) return verdict::goes_on;
    const bool same = before.passive != 0 && before.sent == sum.sent && before.done == sum.done;
    return same ? verdict::ended : verdict::perhaps_ended;
  }
  /// Whether any place got anywhere between the last two waves, or runs something.
  [[nodiscard]] bool moved() const { return moved_; }
  /// What each place answered last.
  [[nodiscard]] const std::vector<wave_report>& reports() const { return reports_; }

 private:
  std::uint64_t wave_ = 0;
  std::uint32_t missing_ = 0;  ///< answers to the wave that is out
  std::vector<wave_report> reports_;
  wave_report last_;  ///< sums of the last whole wave
  bool moved_ = true;
};

}  // namespace channels::detail
