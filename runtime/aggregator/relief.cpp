#include <fmt/format.h>  // format

#include <algorithm>  // max
#include <bit>        // bit_floor

#include "channels/error.hpp"
#include "runtime/aggregator/aggregator.hpp"
#include "runtime/observe/dot.hpp"

/// What the aggregator does when nothing runs and nothing can: finds room, or says what is missing.
namespace channels::detail {
namespace {

/// Channels enlarged in a row without any work that could then go on: many times what it takes to
/// double all of one level up to their capacity.
constexpr std::uint64_t most_reliefs_in_vain = 1000;
/// Where room is refused at random each of them takes thousands of batches to show that it was in
/// vain; so no more than some times what it takes.
constexpr std::uint64_t most_where_refused = 100;

}  // namespace

/// Enlarges channels that waiting work writes to, deepest first; throws if none can be.
void aggregator::relieve_or_fail() {
  if (starved_ != 0 && starved_tried_ != progress_) {
    task_memory_->join();
    release_starved();
    starved_tried_ = progress_;
    return;
  }
  if (starved_ != 0 && granted_at_ != progress_ && grant_memory()) return;
  const std::uint64_t most = options_.force_yield > 0 ? most_where_refused : most_reliefs_in_vain;
  const channel_state* stuck = nullptr;
  for (std::uint32_t level = table_->level_count(); level-- > 0;) {
    // A copy, for growing changes it; and without the empty ones, for growing may free those.
    auto channels = table_->at(level);
    std::erase_if(channels, [this](const channel_state* c) {
      return waiting_of(*c, kind::fresh) + waiting_of(*c, kind::waiting) +
                 waiting_of(*c, kind::resumable) ==
             0;
    });
    for (channel_state* const c : channels) {
      if (stuck == nullptr) stuck = c;
      // What is short of memory may take it from an empty channel that is wanted again next.
      if (reliefs_in_vain_ < most && grow_outputs(*c)) {
        ++reliefs_in_vain_;
        ++progress_;
        fruitless_ = 0;
        return;
      }
    }
  }
  if (starved_ != 0 && !task_memory_->failure().empty()) {
    throw error(task_memory_->failure() + "\n" + describe());
  }
  if (stuck != nullptr) fail_without_room(*stuck);
  throw error(
      fmt::format("{}: nothing runs and nothing can, but not all is done. A kernel node kept "
                  "elements or frames "
                  "without enqueueing or freeing them.\n{}",
                  model_.name, describe()));
}

bool aggregator::grow_outputs(const channel_state& c) {
  const node_model& node = node_of(c);
  const std::uint32_t level = c.level;
  const auto capacities = [&] {
    std::uint64_t sum = 0;
    for (const output_model& o : node.outputs) {
      const channel_state* const to = table_->find(o.stack, table_->level_of(o, level));
      sum += to == nullptr ? 0 : to->geometry.capacity;
    }
    return sum;
  };
  const auto twice = [&](const output_model& o) {
    const channel_state* const to = table_->find(o.stack, table_->level_of(o, level));
    return to == nullptr ? 0 : std::uint64_t{2} * to->geometry.capacity;
  };
  const std::uint64_t before = capacities();
  return table_->prepare_all(node, level, twice, true) && capacities() > before;
}

void aggregator::fail_without_room(const channel_state& c) {
  const node_model& node = node_of(c);
  std::string outputs;
  const channel_state* fullest = nullptr;  // of those that are as large as they may get
  bool full = false;
  bool no_memory = false;
  bool beyond = false;
  for (const output_model& o : node.outputs) {
    const std::uint32_t level = table_->level_of(o, c.level);
    const channel_state* const to = table_->find(o.stack, level);
    if (to == nullptr || to->geometry.capacity < std::bit_floor(model_.stacks[o.stack].capacity)) {
      no_memory = true;
    } else if (fullest == nullptr || to->free() < fullest->free()) {
      fullest = to;
      full = !model_.stacks[o.stack].levels && to->free() < std::max(o.bound, 1U);
    }
    beyond |= options_.levels != 0 && level >= options_.levels;
    outputs += to == nullptr ? fmt::format("; there is no channel {} at level {}",
                                           model_.stacks[o.stack].name, level)
                             : fmt::format("; channel {} at level {} holds {} of {} elements",
                                           model_.stacks[o.stack].name, level, to->live,
                                           to->geometry.capacity);
  }
  std::string advice;
  if (beyond) {
    advice =
        fmt::format("the run may have {} levels: set CHANNELS_LEVELS higher, or to 0 for no limit",
                    options_.levels);
  } else if (fullest != nullptr && (full || !no_memory)) {
    const stack_model& s = model_.stacks[fullest->stack];
    advice = fmt::format("give channel {} a larger capacity{}", s.name,
                         s.levels ? ", or set CHANNELS_CAPACITY higher" : "");
  } else {
    advice = fmt::format(
        "{} of {} bytes of channel memory are in use; {} levels need {} bytes at least: set "
        "CHANNELS_MEMORY higher",
        table_->pool().in_use() + (memory_bytes_ - table_->pool().size()), memory_bytes_,
        c.level + 2, minimum_bytes(model_, options_, c.level + 2));
  }
  throw error(fmt::format(
      "{}: no room at level {}: {} elements wait{}; {}\n{}", node.name, c.level,
      waiting_of(c, kind::fresh) + waiting_of(c, kind::waiting) + waiting_of(c, kind::resumable),
      outputs, advice, describe()));
}

/// One line for each level and stack that holds anything; of many levels, the first and the
/// deepest.
std::string aggregator::describe() const {
  constexpr std::uint32_t shown = 12;
  std::string text =
      fmt::format("{} batches in flight. Channels that hold anything:\n", in_flight_);
  text += fmt::format("  {:<20} {:>7} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "channel", "level",
                      "capacity", "live", "ready", "in flight", "no room", "suspended");
  const std::uint32_t levels = table_->level_count();
  for (std::uint32_t level = 0; level < levels; ++level) {
    if (level == shown && levels > 2 * shown) {
      level = levels - shown;
      text += fmt::format("  ... {} levels more ...\n", level - shown);
    }
    for (const channel_state* const c : table_->at(level)) {
      if (c->live == 0 && c->in_flight == 0) continue;
      text += fmt::format("  {:<20} {:>7} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n",
                          model_.stacks[c->stack].name, level, c->geometry.capacity, c->live,
                          c->ready.count() + c->resumable.size(), c->in_flight, c->waiting.size(),
                          c->suspended.size());
    }
  }
  return text;
}

std::string aggregator::report(std::chrono::milliseconds deadline) const {
  const std::unique_lock lock(state_mutex_, deadline);
  if (!lock.owns_lock()) return "The aggregator itself does not answer.\n";
  return describe();
}

std::string aggregator::dot(std::chrono::milliseconds deadline) const {
  const std::unique_lock lock(state_mutex_, deadline);
  if (!lock.owns_lock()) return to_dot(model_);
  std::vector<stack_count> counts(model_.stacks.size());
  for (std::uint32_t level = 0; level < table_->level_count(); ++level) {
    for (const channel_state* const c : table_->at(level)) {
      stack_count& count = counts[c->stack];
      count.live += c->live;
      count.ready += c->ready.count() + c->resumable.size();
      count.levels = level + 1;
    }
  }
  return to_dot(model_, counts);
}

}  // namespace channels::detail
