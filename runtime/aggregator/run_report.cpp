#include "runtime/aggregator/run_report.hpp"

#include <fmt/format.h>  // format

#include <vector>  // vector

#include "runtime/observe/dot.hpp"

namespace channels::detail {

std::string describe_channels(const run_context& run, std::uint32_t in_flight) {
  constexpr std::uint32_t shown = 12;
  std::string text = fmt::format("{} batches in flight. Channels that hold anything:\n", in_flight);
  text += fmt::format("  {:<20} {:>7} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "channel", "level",
                      "capacity", "live", "ready", "in flight", "no room", "suspended");
  const std::uint32_t levels = run.table.level_count();
  for (std::uint32_t level = 0; level < levels; ++level) {
    if (level == shown && levels > 2 * shown) {
      level = levels - shown;
      text += fmt::format("  ... {} levels more ...\n", level - shown);
    }
    for (const channel_state* const c : run.table.at(level)) {
      if (c->live == 0 && c->in_flight == 0) continue;
      text += fmt::format("  {:<20} {:>7} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n",
                          run.model.stacks[c->stack].name, level, c->geometry.capacity, c->live,
                          c->ready.count() + c->resumable.size(), c->in_flight, c->waiting.size(),
                          c->suspended.size());
    }
  }
  return text;
}

std::string draw_channels(const run_context& run) {
  std::vector<stack_count> counts(run.model.stacks.size());
  for (std::uint32_t level = 0; level < run.table.level_count(); ++level) {
    for (const channel_state* const c : run.table.at(level)) {
      stack_count& count = counts[c->stack];
      count.live += c->live;
      count.ready += c->ready.count() + c->resumable.size();
      count.levels = level + 1;
    }
  }
  return to_dot(run.model, counts);
}

}  // namespace channels::detail
