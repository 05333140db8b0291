#include "runtime/aggregator/candidate_list.hpp"

#include <fmt/format.h>  // format

#include <algorithm>  // min, max

#include "channels/error.hpp"

namespace channels::detail {

std::optional<candidate_list::choice> candidate_list::choose(bool in_flight, std::uint64_t epoch) {
  bool found = gather(epoch, true, false);
  // Predicates are for a device that has other things to do.
  if (!found && !in_flight) found = gather(epoch, false, false);
  return found ? ask_policy(in_flight) : std::nullopt;
}

std::optional<candidate_list::choice> candidate_list::choose_without_room(std::uint64_t epoch) {
  return gather(epoch, false, true) ? ask_policy(false) : std::nullopt;
}

std::optional<candidate_list::choice> candidate_list::ask_policy(bool in_flight) {
  const std::optional<std::size_t> chosen = policy_.choose(candidates_);
  if (chosen ? *chosen >= candidates_.size() : !in_flight) {
    throw error(
        fmt::format("{}: of {} candidates, the scheduling policy '{}' chose {}; it must name one "
                    "of them, and may "
                    "choose none only while something runs",
                    run_.model.name, candidates_.size(), policy_.name(),
                    chosen ? fmt::format("number {}", *chosen) : "none, while nothing runs"));
  }
  if (!chosen) return std::nullopt;
  const option& o = options_[*chosen];
  return choice{o.source, o.what, candidates_[*chosen].room};
}

/// Fills the list. `without_room`: what has no room is a candidate with room for one. True if there
/// is a candidate.
bool candidate_list::gather(std::uint64_t epoch, bool heed_predicates, bool without_room) {
  candidates_.clear();
  options_.clear();
  // First all that waits, then the room that it has: looking for room may make channels and levels.
  waiting_.clear();
  run_.table.for_each_active([this](std::uint32_t level) {
    const std::size_t before = waiting_.size();
    for (channel_state* const c : run_.table.at(level)) {
      if (run_.model.stacks[c->stack].departures) continue;  // the courier takes them
      for (const ready_kind what : ready_kinds) {
        if (c->count_of(what) != 0) waiting_.push_back({c, what});
      }
    }
    return waiting_.size() != before;
  });
  for (const option& o : waiting_) consider(o, epoch, heed_predicates, without_room);
  return !candidates_.empty();
}

void candidate_list::consider(const option& o, std::uint64_t epoch, bool heed_predicates,
                              bool without_room) {
  const channel_state& c = *o.source;
  // Nothing has changed since a batch of it found no room.
  if (c.refused_at[static_cast<std::size_t>(o.what)] == epoch) return;
  const std::uint64_t all = c.count_of(o.what);
  const stack_model& s = run_.model.stacks[c.stack];
  if (heed_predicates && s.worth &&
      !s.worth({s.name, c.level, all, c.live, c.geometry.capacity, run_.options.wavefront_width})) {
    return;
  }
  const std::uint64_t ready = std::min<std::uint64_t>(all, most_in_batch_);
  std::uint64_t room = room_.room_for(c, o.what, ready);
  if (without_room) room = std::max<std::uint64_t>(room, 1);
  if (room == 0) return;
  candidates_.push_back({c.level, ready, room, c.arrival, c.frames});
  options_.push_back(o);
}

}  // namespace channels::detail
