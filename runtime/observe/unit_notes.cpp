#include "runtime/observe/unit_notes.hpp"

#include <fmt/format.h>  // format

#include <algorithm>  // find_if, max, min, sort

#include "runtime/observe/trace.hpp"

namespace channels::detail {
namespace {

// Numbers of tracks give the order in which they are shown: compute units come after all others.
constexpr std::uint32_t first_unit_track = 1000;
constexpr std::uint32_t most_parts = 64;  ///< work-groups of a compute unit

/// Tracks of units are shorter: a GPU has a hundred units or more, with some work-groups each.
constexpr std::uint32_t share_of_unit = 64;

}  // namespace

void enter(unit_notes notes, trace_part& part, std::uint32_t capacity) {
  for (unit_work& w : notes.work) {
    w.start = notes.clock.ticks_at(w.start);
    w.end = std::max(w.start, notes.clock.ticks_at(w.end));
  }
  std::sort(notes.work.begin(), notes.work.end(),
            [](const unit_work& a, const unit_work& b) { return a.start < b.start; });
  // A compute unit runs several work-groups at a time; each is shown on its own track.
  struct part_track {
    trace_track* track;
    std::uint64_t busy_until;
  };
  std::vector<std::vector<part_track>> units;
  for (const unit_work& w : notes.work) {
    if (units.size() <= w.unit) units.resize(w.unit + std::size_t{1});
    std::vector<part_track>& tracks = units[w.unit];
    auto free = std::find_if(tracks.begin(), tracks.end(),
                             [&w](const part_track& t) { return t.busy_until <= w.start; });
    if (free == tracks.end()) {
      const auto number = static_cast<std::uint32_t>(tracks.size());
      const std::string name = number == 0
                                   ? fmt::format("{} {}", notes.unit, w.unit)
                                   : fmt::format("{} {}, {}", notes.unit, w.unit, number + 1);
      const std::uint32_t track =
          first_unit_track + w.unit * most_parts + std::min(number, most_parts - 1);
      free = tracks.insert(free, {&track_of(part, track, name, capacity / share_of_unit), 0});
    }
    trace_event e = batch_event(notes.labels[w.node], w.level, w.elements, w.waves, notes.width);
    e.start = w.start;
    e.duration = w.end - w.start;
    free->track->put(e);
    free->busy_until = w.end;
  }
}

trace_event batch_event(std::uint32_t label, std::uint32_t level, std::uint32_t elements,
                        std::uint64_t waves, std::uint32_t width) {
  trace_event e;
  e.label = label;
  // A wavefront may have several turns.
  const std::uint64_t at_once = std::max<std::uint64_t>(waves, 1);
  const std::uint64_t turns = (elements + at_once * width - 1) / (at_once * width);
  e.arguments = {level, elements, lanes_active(elements, turns * at_once, width), narrow(waves)};
  return e;
}

std::uint32_t lanes_active(std::uint64_t lanes, std::uint64_t waves, std::uint32_t width) {
  return waves == 0 ? 0 : narrow(lanes * 100 / (waves * width));
}

}  // namespace channels::detail
