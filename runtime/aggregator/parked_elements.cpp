#include "runtime/aggregator/parked_elements.hpp"

#include <fmt/format.h>  // format

#include <algorithm>  // min, max, max_element
#include <utility>    // move

#include "channels/error.hpp"

namespace channels::detail {

/// Calls `visit` for each channel without levels.
template <class Visit>
void parked_elements::for_each_channel(const Visit& visit) const {
  if (run_.table.level_count() == 0) return;
  for (channel_state* const c : run_.table.at(0)) {
    const stack_model& s = run_.model.stacks[c->stack];
    // What waits to depart waits for credit, which parking elsewhere makes.
    if (!s.levels && !s.departures) visit(*c);
  }
}

bool parked_elements::park_waiting() {
  bool any = false;
  for_each_channel([&](channel_state& c) {
    if (c.waiting.empty()) return;
    run_.table.reclaim(c);
    const std::uint64_t held = c.live - c.ready.count() - c.waiting.size();
    if (held < std::max(c.geometry.capacity / 4, 1U)) return;
    any = true;
    park(c, std::move(c.waiting));
    c.waiting.clear();
  });
  return any;
}

bool parked_elements::relieve() {
  const bool finished = headway_.finished() != finished_before_;
  const bool stuck = park_all();
  if (empty()) return false;
  if (finished || at_once_ != 1) {
    tries_before_ = headway_.batches();
  } else if (headway_.batches() - tries_before_ > headway_.refused_by_chance()) {
    bring_back();  // for the message: it says what is where
    return false;
  }
  at_once_ = stuck || !finished ? std::max<std::uint64_t>(at_once_ / 16, 1)
                                : std::min(2 * at_once_, most_at_once);
  bring_back();
  finished_before_ = headway_.finished();
  headway_.advance();
  return true;
}

bool parked_elements::park_all() {
  bool any = false;
  for_each_channel([&](channel_state& c) {
    std::vector<std::uint64_t> tickets = std::move(c.waiting);
    c.waiting.clear();
    run taken[batch::most_runs];
    std::uint32_t runs = 0;
    while (c.ready.take(taken, batch::most_runs, ~std::uint32_t{0}, runs) != 0) {
      for (std::uint32_t i = 0; i < runs; ++i)
        for (std::uint64_t t = taken[i].first; t < taken[i].end(); ++t) tickets.push_back(t);
    }
    if (tickets.empty()) return;
    any = true;
    park(c, std::move(tickets));
  });
  return any;
}

void parked_elements::park(channel_state& c, std::vector<std::uint64_t> tickets) {
  check_memory(c.stack, tickets.size());
  lot& to = lots_[c.stack];
  const std::size_t before = to.elements.size();
  copies_.load(c, tickets, to.elements);
  for (const std::uint64_t t : tickets) c.bound.view.tfree({t, 1});
  run_.table.reclaim(c);
  bytes_ += to.elements.size() - before;
  count_ += tickets.size();
  moves_ += tickets.size();
  to.last_moved = moves_;
}

void parked_elements::check_memory(std::uint32_t stack, std::size_t more) const {
  const stack_model& s = run_.model.stacks[stack];
  if (bytes_ + more * s.element_bytes <= run_.options.memory) return;
  throw error(fmt::format(
      "{}: {} elements wait for room besides those in channels, {} of them for channel '{}', and "
      "more than CHANNELS_MEMORY={} bytes would be needed for them; give the channels that they "
      "write to a larger capacity, or set CHANNELS_MEMORY higher",
      run_.model.name, count_ + more, count_of(stack) + more, s.name, run_.options.memory));
}

/// Moves a few back: those that were moved last.
void parked_elements::bring_back() {
  const auto last = std::max_element(lots_.begin(), lots_.end(), [](const lot& a, const lot& b) {
    return (a.elements.empty() ? 0 : a.last_moved) < (b.elements.empty() ? 0 : b.last_moved);
  });
  lot& from = *last;
  const auto stack = static_cast<std::uint32_t>(last - lots_.begin());
  channel_state& c = *run_.table.find(stack, 0);  // they came from there
  run_.table.reclaim(c);
  const std::uint64_t half = std::max(c.geometry.capacity / 2, 1U);
  const std::uint64_t wanted = std::min({at_once_, count_of(stack), half});
  const run r = c.bound.view.talloc_between(1, static_cast<std::uint32_t>(wanted));
  if (!r) return;
  const std::size_t bytes = r.count * run_.model.stacks[stack].element_bytes;
  copies_.store(c, r, from.elements.data() + from.elements.size() - bytes);
  from.elements.resize(from.elements.size() - bytes);
  bytes_ -= bytes;
  count_ -= r.count;
  run_.table.enqueue(c, r);
  run_.table.refresh(c);
}

}  // namespace channels::detail
