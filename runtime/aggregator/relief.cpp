#include "runtime/aggregator/relief.hpp"

#include <fmt/format.h>  // format

#include <string>  // string
#include <vector>  // vector, erase_if

#include "channels/error.hpp"
#include "runtime/aggregator/room_failures.hpp"
#include "runtime/aggregator/run_report.hpp"

namespace channels::detail {

void relief::find_room_or_fail() {
  if (waiters_.relieve()) return;
  if (grow_outputs() || parked_.relieve()) return;
  fail();
}

void relief::make_room_for_arrivals() {
  // First all, so that even a channel of one element is free for what is to come; the next time a
  // few come back. One that had all the room to itself and got nowhere proves nothing: the room
  // that it needs may be another place's. The wait for that has a deadline of its own.
  if (!parked_.park_all()) parked_.relieve();
  headway_.advance();
}

/// Enlarges the channels that the deepest work that waits writes to. True if any is larger now.
bool relief::grow_outputs() {
  // The limit: growing may take memory from an empty channel that is wanted again next, and so
  // could go on forever.
  if (!headway_.may_relieve()) return false;
  for (std::uint32_t level = run_.table.level_count(); level-- > 0;) {
    // A copy, since growing changes the list; and without channels that hold no work, since growing
    // may free those.
    std::vector<channel_state*> channels = run_.table.at(level);
    std::erase_if(channels, [this](const channel_state* c) {
      return !c->holds_work() || run_.model.stacks[c->stack].departures;
    });
    for (channel_state* const c : channels) {
      if (room_.grow_outputs(*c)) {
        headway_.relieved();
        return true;
      }
    }
  }
  return false;
}

/// The deepest channel whose work finds no room, or null.
const channel_state* relief::deepest_stuck() const {
  for (std::uint32_t level = run_.table.level_count(); level-- > 0;) {
    for (const channel_state* const c : run_.table.at(level)) {
      if (c->holds_work() && !run_.model.stacks[c->stack].departures) return c;
    }
  }
  return nullptr;
}

void relief::fail() const {
  const std::string no_memory = waiters_.failure();
  if (!no_memory.empty()) throw error(no_memory + "\n" + describe_channels(run_, 0));
  const channel_state* const stuck = deepest_stuck();
  if (stuck != nullptr) throw error(describe_no_room(run_, *stuck, parked_));
  throw error(
      fmt::format("{}: nothing runs and nothing can, but not all is done. A kernel node kept "
                  "elements or frames "
                  "without enqueueing or freeing them.\n{}",
                  run_.model.name, describe_channels(run_, 0)));
}

}  // namespace channels::detail
