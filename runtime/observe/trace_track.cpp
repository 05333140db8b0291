#include "runtime/observe/trace_track.hpp"

#include <new>  // nothrow

namespace channels::detail {
namespace {

void split(std::uint64_t both, std::uint32_t& high, std::uint32_t& low) {
  high = static_cast<std::uint32_t>(both >> 32U);
  low = static_cast<std::uint32_t>(both);
}

}  // namespace

bool trace_track::take_memory() {
  // Uninitialised, so that the system gives pages as they are filled.
  memory_.reset(new (std::nothrow) std::uint64_t[words * capacity_]);
  return memory_ != nullptr;
}

std::vector<trace_event> trace_track::events() const {
  struct found {
    std::uint64_t slot;  ///< its first
    trace_event event;
  };
  std::vector<found> all;
  // Acquire: the events, and that there is memory.
  const std::uint64_t end = slots_.load(std::memory_order_acquire);
  const std::uint64_t first = end > capacity_ ? end - capacity_ : 0;
  all.reserve(end - first);
  for (std::uint64_t n = first; n < end; ++n) {
    const auto [start, what, one, two] = load(n);
    if ((what & rest_of_an_event) == 0) {
      trace_event e;
      e.start = start;
      e.duration = what >> 32U;
      e.label = static_cast<std::uint32_t>(what & low_half) >> 8U;
      e.what = static_cast<trace_event::type>(what & (rest_of_an_event - 1));
      split(one, e.arguments[0], e.arguments[1]);
      split(two, e.arguments[2], e.arguments[3]);
      all.push_back({n, e});
    } else if (!all.empty()) {  // otherwise its event's first slot is overwritten
      trace_event& e = all.back().event;
      e.duration |= start << 32U;
      split(one, e.arguments[4], e.arguments[5]);
      e.arguments[6] = static_cast<std::uint32_t>(two);
    }
  }
  // Slots that the writer has begun to overwrite meanwhile may hold parts of two events. Pairs with
  // the fence in `put`: a reader of a word of a new event sees that its slot was begun.
  std::atomic_thread_fence(std::memory_order_acquire);
  const std::uint64_t begun = begun_.load(std::memory_order_relaxed);
  const std::uint64_t whole = begun > capacity_ ? begun - capacity_ : 0;
  std::vector<trace_event> events;
  events.reserve(all.size());
  for (const found& f : all) {
    if (f.slot >= whole) events.push_back(f.event);
  }
  return events;
}

}  // namespace channels::detail
