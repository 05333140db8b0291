#include "runtime/compiled_program/call_history.hpp"

#include <algorithm>  // copy_n, max, min
#include <limits>     // numeric_limits

namespace channels::cilk {
namespace {

using namespace std::chrono_literals;
using duration = call_history::duration;

/// A run on a GPU does not begin and end in less.
constexpr duration least_on_device = 50us;
/// What a first run there costs beside its work and the moving of memory: its code is loaded.
constexpr duration first_run = 20ms;
/// What the vendor's library takes to start.
constexpr duration start_of_device = 300ms;
/// The first run on a device has more in it than later ones, so one that was no slower than so many
/// times the host's, and what only a first one costs, is repeated.
constexpr int doubtful = 4;
/// A device that is this much slower is tried again only after longer and longer times.
constexpr int lost = 2;
/// How many times as long as the host a function may take on a device that does not suit it.
constexpr int unsuited = 3;
/// Within this factor calls are taken to be alike.
constexpr double alike = 2;
/// Where the device had the first call, the host is tried after so many, which may take it thirty
/// times as long; after fewer of less than this time.
constexpr duration short_on_device = 10ms;
constexpr std::uint32_t short_calls = 2;
constexpr std::uint32_t long_calls = 8;

constexpr std::size_t most_samples = 32;
constexpr std::uint32_t most_doublings = 10;

}  // namespace

call_sizes::call_sizes(std::initializer_list<double> all) {
  std::copy_n(all.begin(), std::min(all.size(), most), of_.begin());
}

double call_sizes::factor_to(const call_sizes& other) const {
  double largest = 1;
  for (std::size_t i = 0; i < most; ++i) {
    const double mine = of_[i];
    const double its = other.of_[i];
    if (mine == its) continue;
    const double a = std::max(mine < 0 ? -mine : mine, 1.0);
    const double b = std::max(its < 0 ? -its : its, 1.0);
    // A change of sign alone is a change, too.
    largest = std::max({largest, a / b, b / a, 1.0 + 1e-9});
  }
  return largest;
}

const call_history::sample* call_history::nearest(const call_sizes& sizes, double most) const {
  const sample* best = nullptr;
  for (const sample& one : samples_) {
    const double factor = one.sizes.factor_to(sizes);
    if (factor > most) continue;
    most = factor;
    best = &one;
  }
  return best;
}

call_history::choice call_history::choose(const call_sizes& sizes, const circumstances& now) const {
  const sample* const known = nearest(sizes, std::numeric_limits<double>::infinity());
  if (known == nullptr) {
    if (now.started && now.suits)
      return {call_side::device, "nothing is known of the function but that it suits the device"};
    return {call_side::host, "nothing is known of the function"};
  }
  if (known->device_calls == 0) return try_device(*known, now);
  if (known->host == duration{}) {
    if (known->device_calls >= (known->device < short_on_device ? short_calls : long_calls))
      return {call_side::host, "it is tried there, too"};
    return {call_side::device, "it ran there, and nothing is known of the host"};
  }
  if (known->device_calls == 1 && known->device > known->host &&
      known->device < doubtful * known->host + first_run + now.move)
    return {call_side::device, "its first run there had in it what only a first one costs"};
  if (known->device < known->host) return {call_side::device, "such calls were faster there"};
  return {call_side::host, "such calls were faster there"};
}

call_history::choice call_history::try_device(const sample& known, const circumstances& now) const {
  if (known.host < least_on_device) return {call_side::host, "it is too short for the device"};
  duration price = now.started ? first_run + now.move : start_of_device;
  price = std::max(price, now.suits ? known.host : unsuited * known.host) * (1 << lost_tries_);
  if (spent_ < price) return {call_side::host, "a try on the device would cost more than it has"};
  return {call_side::device, "it is tried there"};
}

call_history::sample& call_history::sample_of(const call_sizes& sizes) {
  for (sample& one : samples_) {
    if (one.sizes.factor_to(sizes) == 1) return one;
  }
  // Calls that are alike stand for it until it has been seen on both sides.
  const sample* const before = nearest(sizes, alike);
  sample made = before == nullptr ? sample{sizes, {}, {}, 0} : *before;
  made.sizes = sizes;
  if (samples_.size() < most_samples) return samples_.emplace_back(made);
  oldest_ = (oldest_ + 1) % most_samples;
  return samples_[oldest_] = made;
}

void call_history::ran(call_side side, const call_sizes& sizes, duration took) {
  total& of_side = totals_[static_cast<std::size_t>(side)];
  ++of_side.calls;
  of_side.time += took;
  sample& one = sample_of(sizes);
  took = std::max(took, duration(1));
  if (side == call_side::host) {
    one.host = took;
    spent_ += took;
    return;
  }
  one.device = took;
  ++one.device_calls;
  spent_ = {};
  if (one.host != duration{} && took > lost * one.host)
    lost_tries_ = std::min(lost_tries_ + 1, most_doublings);
}

}  // namespace channels::cilk
