#include "runtime/observe/device_clock.hpp"

#include <algorithm>  // max, min, upper_bound
#include <cmath>      // llround

#include "runtime/observe/ticks.hpp"

namespace channels::detail {
namespace {

/// The largest drift of two clocks, as a share of the time that passes.
constexpr double drift = 50e-6;

/// How often a fit is kept, for moments that are asked for later.
constexpr std::uint64_t ns_of_a_fit = 100'000'000;

}  // namespace

device_clock::device_clock()
    : ticks_per_ns_(1e9 / static_cast<double>(tick_scale().duration(1'000'000'000))) {}

double device_clock::ticks_from_origin(std::uint64_t ns) const {
  // Signed: the moment may be before the origin.
  return static_cast<double>(static_cast<std::int64_t>(ns - origin_ns_)) * ticks_per_ns_;
}

void device_clock::learn(std::uint64_t handed, std::uint64_t began, std::uint64_t ended,
                         std::uint64_t seen) {
  if (!knows()) {
    origin_ns_ = began;
    origin_ticks_ = last_ = handed;
  }
  const auto bound = [this](std::uint64_t ticks, std::uint64_t ns) {
    return static_cast<double>(static_cast<std::int64_t>(ticks - origin_ticks_)) -
           ticks_from_origin(ns);
  };
  const double after = bound(handed, began);
  const double before = bound(seen, ended);
  const double wider = drift * static_cast<double>(seen - std::min(last_, seen));
  const bool agrees = knows() && after <= most_ + wider && before >= least_ - wider;
  least_ = agrees ? std::max(least_ - wider, after) : after;
  most_ = agrees ? std::min(most_ + wider, before) : before;
  last_ = seen;
  if (knows() && ended < fits_.back().from) fits_.clear();  // the device's clock was set back
  // The end of a batch is seen sooner after it than a batch begins after it was handed over.
  if (!knows() || ended - fits_.back().from > ns_of_a_fit) {
    fits_.push_back({began, most_});
  } else {
    fits_.back().offset = most_;
  }
}

std::uint64_t device_clock::ticks_at(std::uint64_t ns) const {
  auto best = std::upper_bound(fits_.begin(), fits_.end(), ns,
                               [](std::uint64_t at, const fit& f) { return at < f.from; });
  if (best != fits_.begin()) --best;
  return origin_ticks_ +
         static_cast<std::uint64_t>(std::llround(ticks_from_origin(ns) + best->offset));
}

}  // namespace channels::detail
