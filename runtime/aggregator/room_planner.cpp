#include "runtime/aggregator/room_planner.hpp"

#include <algorithm>  // min, max, all_of

namespace channels::detail {

std::uint64_t room_planner::room_for(const channel_state& c, ready_kind what, std::uint64_t ready) {
  const node_model& node = run_.node_of(c);
  const std::uint64_t pending = std::max<std::uint64_t>(ready, c.ready.count());
  const auto wanted = [&](const output_model& o) {
    std::uint64_t more = pending * o.bound;
    // Frames that wait for room have filled the channel once, and spawn more than was expected.
    if (what == ready_kind::waiting && o.bound != 0) {
      const channel_state* const to = output_of(c, o);
      if (to != nullptr) more = std::max(more, 2 * std::uint64_t{to->geometry.capacity});
    }
    // Frames of the counted rule are freed as their children end.
    if (!run_.on.wants_large_channels() || !run_.model.stacks[o.stack].control) return more;
    // Room besides what is there and stays: frames that wait for deeper levels.
    const channel_state* const to = output_of(c, o);
    return to == nullptr || to->free() >= more ? more : more + to->live + to->promised;
  };
  const bool prepared = std::all_of(node.outputs.begin(), node.outputs.end(), [&](const auto& o) {
    const channel_state* const to = output_of(c, o);
    return to != nullptr && run_.table.large_enough(o.stack, to->geometry.capacity, wanted(o));
  });
  if (!prepared) run_.table.prepare_all(node, c.level, wanted);
  std::uint64_t room = ready;
  for (const output_model& o : node.outputs) {
    channel_state* const to = output_of(c, o);
    if (o.bound == 0 && what == ready_kind::fresh) continue;
    if (to == nullptr) {
      room = 0;
      continue;
    }
    const std::uint64_t bound = std::max(o.bound, 1U);
    if (to->free() < ready * bound) run_.table.reclaim(*to);
    room = std::min(room, to->free() / bound);
  }
  // A continuation mostly spawns nothing more; it yields if it finds no room.
  if (room == 0 && c.frames && what != ready_kind::waiting)
    room = std::min<std::uint64_t>(ready, run_.options.wavefront_width);
  return room;
}

bool room_planner::grow_outputs(const channel_state& c) {
  const node_model& node = run_.node_of(c);
  const auto capacity_of = [&](const output_model& o) {
    const channel_state* const to = output_of(c, o);
    return to == nullptr ? 0 : std::uint64_t{to->geometry.capacity};
  };
  const auto capacities = [&] {
    std::uint64_t sum = 0;
    for (const output_model& o : node.outputs) sum += capacity_of(o);
    return sum;
  };
  const std::uint64_t before = capacities();
  const auto twice = [&](const output_model& o) { return 2 * capacity_of(o); };
  return run_.table.prepare_all(node, c.level, twice, true) && capacities() > before;
}

}  // namespace channels::detail
