#include "runtime/aggregator/room_failures.hpp"

#include <fmt/format.h>  // format

#include <algorithm>  // max
#include <bit>        // bit_ceil, bit_floor
#include <cstdint>    // fixed-width integers
#include <limits>     // numeric_limits

#include "runtime/aggregator/run_report.hpp"

namespace channels::detail {
namespace {

/// How to give a channel of `s` more elements. `least`: how many would do; 0: nobody knows.
std::string larger_capacity(const stack_model& s, std::uint64_t least) {
  const std::string how_many = least == 0 ? "" : fmt::format(", of {} or more", least);
  return s.levels && !s.own_capacity
             ? fmt::format("set CHANNELS_CAPACITY higher, to {}",
                           std::bit_ceil(std::max<std::uint64_t>(least, 2ULL * s.capacity)))
             : fmt::format("give channel {} a larger capacity{}", s.name, how_many);
}

std::string describe_output(const channel_state* to, const stack_model& s, std::uint32_t level) {
  if (to == nullptr) return fmt::format("there is no channel {} at level {}", s.name, level);
  return fmt::format("channel {} at level {} holds {} of {} elements", s.name, level, to->live,
                     to->geometry.capacity);
}

/// The most elements of `s` that a lane which consumes `c` can have at once.
std::uint64_t most_at_once(const stack_model& s, const output_model& o, const channel_state& c) {
  if (s.levels) return std::bit_floor(s.capacity);
  // Its own element has a place, too.
  return s.capacity - (o.stack == c.stack ? 1U : 0U);
}

/// How many elements more than there can be a lane has asked for. Less than 0 if there can be.
std::int64_t lack_of(const run_context& run, const channel_state& c, const denied_room& d) {
  if (d.asked == 0) return std::numeric_limits<std::int64_t>::min();
  const output_model& o = run.node_of(c).outputs[d.output];
  return static_cast<std::int64_t>(d.asked) -
         static_cast<std::int64_t>(most_at_once(run.model.stacks[o.stack], o, c));
}

/// The body of `node` asked for more than there can be, or for nothing. Empty if it did not.
std::string why_in_vain(const run_context& run, const channel_state& c) {
  const node_model& node = run.node_of(c);
  if (!node.is_body || !c.has_retried) return {};
  if (c.denied.asked == 0) {
    return fmt::format(
        "{}: the body returned retry for each element at level {}, although no reserve or try_push "
        "of it was refused, and nothing else runs that could change that; return lane.done() when "
        "an element is done, and lane.retry() only for lack of room",
        node.name, c.level);
  }
  const output_model& o = node.outputs[c.denied.output];
  const stack_model& s = run.model.stacks[o.stack];
  const std::uint64_t most = most_at_once(s, o, c);
  if (lack_of(run, c, c.denied) <= 0) return {};
  return fmt::format(
      "{}: no room at level {}: a lane asks for {} elements of channel {} at once, and can have {} "
      "of its {}; {}, or ask for fewer",
      node.name, c.level, c.denied.asked, s.name, most, s.capacity,
      larger_capacity(s, c.denied.asked + (s.capacity - most)));
}

/// What would let what waits in `c` go on.
std::string advice_for(const run_context& run, const channel_state& c) {
  const channel_state* fullest = nullptr;  // of the channels that have their full capacity
  bool full = false;
  bool no_memory = false;
  for (const output_model& o : run.node_of(c).outputs) {
    const std::uint32_t level = run.table.level_of(o, c.level);
    const stack_model& s = run.model.stacks[o.stack];
    if (run.options.levels != 0 && level >= run.options.levels) {
      return fmt::format(
          "the run may have {} levels, and needs {} or more: set CHANNELS_LEVELS higher, or to 0 "
          "for "
          "no limit",
          run.options.levels, level + 1);
    }
    const channel_state* const to = run.table.find(o.stack, level);
    if (to == nullptr || to->geometry.capacity < std::bit_floor(s.capacity)) {
      no_memory = true;
    } else if (fullest == nullptr || to->free() < fullest->free()) {
      fullest = to;
      full = !s.levels && to->free() < std::max(o.bound, 1U);
    }
  }
  if (fullest != nullptr && (full || !no_memory))
    return larger_capacity(run.model.stacks[fullest->stack], 0);
  return fmt::format(
      "{} of {} bytes of channel memory are in use; {} levels need {} bytes at least: set "
      "CHANNELS_MEMORY higher",
      run.memory_in_use(), run.memory_bytes, c.level + 2,
      minimum_bytes(run.model, run.options, c.level + 2));
}

}  // namespace

void note_denial(const run_context& run, const flight_record& f) {
  channel_state& c = *f.source;
  if (f.finished_anything()) {
    c.has_retried = false;
    c.denied = {};
  }
  if (f.work.restarted == 0) return;
  c.has_retried = true;
  if (lack_of(run, c, f.work.denied) >= lack_of(run, c, c.denied)) c.denied = f.work.denied;
}

std::string describe_lost_element(const run_context& run, const flight_record& f) {
  const output_model& o = f.node->outputs[f.work.denied.output];
  const stack_model& s = run.model.stacks[o.stack];
  const std::uint32_t level = run.table.level_of(o, f.source->level);
  return fmt::format(
      "{}: a push found no room, and its element would be lost: {}; the node says that a lane "
      "writes at most {} there (up_to). Reserve first: if (!out.reserve(n)) return lane.retry(); "
      "or use try_push, and return lane.retry(rest) when it fails",
      f.node->name, describe_output(f.outputs[f.work.denied.output], s, level), o.bound);
}

std::string describe_no_room(const run_context& run, const channel_state& c,
                             const parked_elements& parked) {
  const std::string in_vain = why_in_vain(run, c);
  if (!in_vain.empty()) return fmt::format("{}\n{}", in_vain, describe_channels(run, 0));
  const node_model& node = run.node_of(c);
  std::string outputs;
  for (const output_model& o : node.outputs) {
    const std::uint32_t level = run.table.level_of(o, c.level);
    outputs +=
        "; " + describe_output(run.table.find(o.stack, level), run.model.stacks[o.stack], level);
  }
  return fmt::format("{}: no room at level {}: {} elements wait{}; {}\n{}", node.name, c.level,
                     c.count_of(ready_kind::fresh) + c.waiting.size() + c.resumable.size() +
                         parked.count_of(c.stack),
                     outputs, advice_for(run, c), describe_channels(run, 0));
}

}  // namespace channels::detail
