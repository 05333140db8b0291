#include "runtime/aggregator/relief.hpp"

#include <fmt/format.h>  // format

#include <algorithm>  // max
#include <bit>        // bit_floor
#include <string>     // string
#include <vector>     // vector, erase_if

#include "channels/error.hpp"
#include "runtime/aggregator/run_report.hpp"

namespace channels::detail {

void relief::find_room_or_fail() {
  if (waiters_.relieve()) return;
  const channel_state* stuck = nullptr;
  for (std::uint32_t level = run_.table.level_count(); level-- > 0;) {
    // A copy, since growing changes the list; and without channels that hold no work, since growing
    // may free those.
    std::vector<channel_state*> channels = run_.table.at(level);
    std::erase_if(channels, [](const channel_state* c) { return !c->holds_work(); });
    for (channel_state* const c : channels) {
      if (stuck == nullptr) stuck = c;
      // The limit: growing may take memory from an empty channel that is wanted again next, and
      // so could go on forever.
      if (headway_.may_relieve() && room_.grow_outputs(*c)) {
        headway_.relieved();
        return;
      }
    }
  }
  fail(stuck);
}

/// `stuck`: the deepest channel whose work finds no room, or null.
void relief::fail(const channel_state* stuck) const {
  const std::string no_memory = waiters_.failure();
  if (!no_memory.empty()) throw error(no_memory + "\n" + describe_channels(run_, 0));
  if (stuck != nullptr) fail_without_room(*stuck);
  throw error(
      fmt::format("{}: nothing runs and nothing can, but not all is done. A kernel node kept "
                  "elements or frames "
                  "without enqueueing or freeing them.\n{}",
                  run_.model.name, describe_channels(run_, 0)));
}

void relief::fail_without_room(const channel_state& c) const {
  const node_model& node = run_.node_of(c);
  std::string outputs;
  const channel_state* fullest = nullptr;  // of the channels that have their full capacity
  bool full = false;
  bool no_memory = false;
  bool beyond = false;
  for (const output_model& o : node.outputs) {
    const std::uint32_t level = run_.table.level_of(o, c.level);
    const channel_state* const to = run_.table.find(o.stack, level);
    if (to == nullptr ||
        to->geometry.capacity < std::bit_floor(run_.model.stacks[o.stack].capacity)) {
      no_memory = true;
    } else if (fullest == nullptr || to->free() < fullest->free()) {
      fullest = to;
      full = !run_.model.stacks[o.stack].levels && to->free() < std::max(o.bound, 1U);
    }
    beyond |= run_.options.levels != 0 && level >= run_.options.levels;
    outputs += to == nullptr ? fmt::format("; there is no channel {} at level {}",
                                           run_.model.stacks[o.stack].name, level)
                             : fmt::format("; channel {} at level {} holds {} of {} elements",
                                           run_.model.stacks[o.stack].name, level, to->live,
                                           to->geometry.capacity);
  }
  std::string advice;
  if (beyond) {
    advice =
        fmt::format("the run may have {} levels: set CHANNELS_LEVELS higher, or to 0 for no limit",
                    run_.options.levels);
  } else if (fullest != nullptr && (full || !no_memory)) {
    const stack_model& s = run_.model.stacks[fullest->stack];
    advice = fmt::format("give channel {} a larger capacity{}", s.name,
                         s.levels ? ", or set CHANNELS_CAPACITY higher" : "");
  } else {
    advice = fmt::format(
        "{} of {} bytes of channel memory are in use; {} levels need {} bytes at least: set "
        "CHANNELS_MEMORY higher",
        run_.memory_in_use(), run_.memory_bytes, c.level + 2,
        minimum_bytes(run_.model, run_.options, c.level + 2));
  }
  throw error(fmt::format("{}: no room at level {}: {} elements wait{}; {}\n{}", node.name, c.level,
                          c.count_of(ready_kind::fresh) + c.waiting.size() + c.resumable.size(),
                          outputs, advice, describe_channels(run_, 0)));
}

}  // namespace channels::detail
