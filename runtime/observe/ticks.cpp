#include "runtime/observe/ticks.hpp"

#include <fstream>  // ifstream
#include <string>   // string

namespace channels::detail {
namespace {

/// A moment by both clocks.
struct both {
  std::uint64_t ticks;
  std::uint64_t ns;
};

both now() {
  // The thread may be stopped between the two readings, so take the shortest of some tries.
  both best{};
  std::uint64_t shortest = ~std::uint64_t{0};
  for (int i = 0; i < 5; ++i) {
    const std::uint64_t before = ticks();
    const std::uint64_t ns = steady_ns();
    const std::uint64_t took = ticks() - before;
    if (took >= shortest) continue;
    shortest = took;
    best = {before + took / 2, ns};
  }
  return best;
}

const both& first() {
  static const both b = now();
  return b;
}

/// The shortest time over which the two clocks can be compared.
constexpr std::uint64_t least_ns = 2'000'000;

/// Whether the system says that the processor's counter is the same on all cores and at all
/// frequencies: the system uses it as its clock, or its flags promise it.
bool counter_is_steady() {
  std::ifstream source("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  std::string name;
  if (source >> name && name == "tsc") return true;
  std::ifstream processors("/proc/cpuinfo");
  for (std::string line; std::getline(processors, line);) {
    if (!line.starts_with("flags")) continue;
    line += ' ';
    for (const char* const flag : {" constant_tsc ", " nonstop_tsc ", " tsc_reliable "}) {
      if (line.find(flag) == std::string::npos) return false;
    }
    return true;
  }
  return false;
}

}  // namespace

constinit std::atomic<tick_source> ticks_from{tick_source::unknown};

tick_source find_tick_source() {
  const tick_source found = counter_is_steady() ? tick_source::counter : tick_source::clock;
  ticks_from.store(found, std::memory_order_relaxed);
  (void)first();
  return found;
}

tick_scale::tick_scale() {
  (void)ticks();  // makes `first` at its first call
  first_ = first().ticks;
  first_ns_ = first().ns;
  if (ticks_from.load(std::memory_order_relaxed) != tick_source::counter) return;
  both last = now();
  while (last.ns - first_ns_ < least_ns) last = now();
  ns_per_tick_ =
      static_cast<double>(last.ns - first_ns_) / static_cast<double>(last.ticks - first_);
}

}  // namespace channels::detail
