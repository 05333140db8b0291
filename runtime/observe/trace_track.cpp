#include "runtime/observe/trace_track.hpp"

#include <algorithm>  // max

namespace channels::detail {

void trace_track::take_memory() {
  // Uninitialised, so that the system gives pages as they are filled.
  memory_ = std::make_unique_for_overwrite<std::uint64_t[]>(  // NOLINT(modernize-avoid-c-arrays)
      words * capacity_);
}

std::vector<trace_event> trace_track::events() const {
  const auto load = [](const std::uint64_t* from) {
    return __atomic_load_n(from, __ATOMIC_RELAXED);
  };
  std::vector<trace_event> all;
  // Acquire: the events, and that there is memory.
  const std::uint64_t end = count_.load(std::memory_order_acquire);
  const std::uint64_t first = end > capacity_ ? end - capacity_ : 0;
  all.reserve(end - first);
  for (std::uint64_t n = first; n < end; ++n) {
    const std::uint64_t* const from = memory_.get() + words * (n & (capacity_ - 1));
    trace_event e;
    e.start = load(from);
    const std::uint64_t kind = load(from + 1);
    e.duration = kind >> 8U;
    e.what = static_cast<trace_event::type>(kind & 0xFFU);
    const std::uint64_t label = load(from + 2);
    e.label = static_cast<std::uint32_t>(label >> 32U);
    e.arguments[0] = static_cast<std::uint32_t>(label);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint64_t two = load(from + 3 + i);
      e.arguments[2 * i + 1] = static_cast<std::uint32_t>(two >> 32U);
      e.arguments[2 * i + 2] = static_cast<std::uint32_t>(two);
    }
    all.push_back(e);
  }
  // What the writer has begun to overwrite meanwhile may be half an event. Pairs with the fence in
  // put: who has read a word of an event sees that it was begun.
  std::atomic_thread_fence(std::memory_order_acquire);
  const std::uint64_t begun = begun_.load(std::memory_order_relaxed);
  const std::uint64_t whole = begun > capacity_ ? begun - capacity_ : 0;
  if (whole > first) {
    all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(whole, end) - first));
  }
  return all;
}

}  // namespace channels::detail
