#include <fmt/format.h>  // format

#include <algorithm>  // min, max, all_of
#include <optional>   // optional

#include "channels/error.hpp"
#include "runtime/aggregator/aggregator.hpp"
#include "runtime/aggregator/flight_record.hpp"

/// How the aggregator decides what to dispatch next, and dispatches it.
namespace channels::detail {

bool aggregator::dispatch_next() {
  release_frames();
  // Each pass asks for less: predicates are for a device that has other things to do, and what has
  // no room may still hold elements that need none.
  bool found = gather(true, false);
  if (!found && in_flight_ == 0) found = gather(false, false) || gather(false, true);
  std::optional<std::size_t> chosen;
  if (found) chosen = policy_.choose(candidates_);
  count_time(phase::decide);
  if (found && (chosen ? *chosen >= candidates_.size() : in_flight_ == 0)) {
    throw error(
        fmt::format("{}: of {} candidates, the scheduling policy '{}' chose {}; it must name one "
                    "of them, and may "
                    "choose none only while something runs",
                    model_.name, candidates_.size(), policy_.name(),
                    chosen ? fmt::format("number {}", *chosen) : "none, while nothing runs"));
  }
  if (!chosen) return false;
  // While all units are busy a small batch can wait: it may have grown when one of them is done.
  if (in_flight_ >= device_.compute_units() && candidates_[*chosen].room < most_in_batch_ / 16)
    return false;
  dispatch(options_of_candidates_[*chosen], candidates_[*chosen].room);
  count_time(phase::dispatch);
  return true;
}

bool aggregator::gather(bool heed_predicates, bool without_room) {
  candidates_.clear();
  options_of_candidates_.clear();
  // Each lane may leave a restart context. Lanes in flight that have left theirs count twice: their
  // space may be held back by a lane that has not.
  const std::uint64_t contexts = lanes_in_flight_ + restarts_.view.live();
  if (contexts >= restarts_capacity_) return false;
  restart_room_ = restarts_capacity_ - contexts;
  // First who waits, then what room they have: looking for room may make channels and levels.
  waiting_options_.clear();
  table_->for_each_active([&](std::uint32_t level) {
    const std::size_t before = waiting_options_.size();
    for (channel_state* const c : table_->at(level)) {
      for (const kind what : {kind::fresh, kind::resumable, kind::waiting}) {
        if (waiting_of(*c, what) != 0) waiting_options_.push_back({c, what});
      }
    }
    return waiting_options_.size() != before;
  });
  for (const option& o : waiting_options_) {
    consider(*o.source, o.what, waiting_of(*o.source, o.what), heed_predicates, without_room);
  }
  return !candidates_.empty();
}

void aggregator::consider(channel_state& c, kind what, std::uint64_t ready, bool heed_predicates,
                          bool without_room) {
  // Nothing has changed since these found no room.
  if (c.refused_at[static_cast<std::size_t>(what)] == progress_) return;
  const stack_model& s = model_.stacks[c.stack];
  if (heed_predicates && s.worth &&
      !s.worth({s.name, c.level, ready, c.live, c.geometry.capacity, options_.wavefront_width})) {
    return;
  }
  ready = std::min<std::uint64_t>(ready, most_in_batch_);
  std::uint64_t room = room_for(c, what, ready);
  if (without_room) room = std::max<std::uint64_t>(room, 1);
  if (room == 0) return;
  candidates_.push_back({c.level, ready, room, c.arrival, s.frames});
  options_of_candidates_.push_back({&c, what});
}

/// How many of `ready` elements have room for what they may write. Makes the channels that they
/// write to.
std::uint64_t aggregator::room_for(const channel_state& c, kind what, std::uint64_t ready) {
  const node_model& node = node_of(c);
  const std::uint64_t pending = std::max<std::uint64_t>(ready, c.ready.count());
  const auto wanted = [&](const output_model& o) {
    const std::uint64_t more = pending * o.bound;
    // Frames of the counted rule are freed as their children end.
    if (!device_.wants_large_channels() || !model_.stacks[o.stack].control) return more;
    // Beside what is there and stays: frames that wait for deeper levels.
    const channel_state* const to = table_->find(o.stack, table_->level_of(o, c.level));
    return to == nullptr || to->free() >= more ? more : more + to->live + to->promised;
  };
  const bool prepared = std::all_of(node.outputs.begin(), node.outputs.end(), [&](const auto& o) {
    const channel_state* const to = table_->find(o.stack, table_->level_of(o, c.level));
    return to != nullptr && table_->large_enough(o.stack, to->geometry.capacity, wanted(o));
  });
  if (!prepared) table_->prepare_all(node, c.level, wanted);
  std::uint64_t room = ready;
  for (const output_model& o : node.outputs) {
    channel_state* const to = table_->find(o.stack, table_->level_of(o, c.level));
    if (o.bound == 0 && what == kind::fresh) continue;
    if (to == nullptr) {
      room = 0;
      continue;
    }
    const std::uint64_t bound = std::max(o.bound, 1U);
    if (to->free() < ready * bound) table_->reclaim(*to);
    room = std::min(room, to->free() / bound);
  }
  // A continuation mostly spawns nothing more; it yields if it finds no room.
  if (room == 0 && model_.stacks[c.stack].frames && what != kind::waiting)
    room = std::min<std::uint64_t>(ready, options_.wavefront_width);
  return room;
}

/// A batch of elements of `source`, none yet.
aggregator::flight_record& aggregator::begin_flight(channel_state& source, kind what) {
  if (free_flights_.empty()) {
    flights_.push_back(std::make_unique<flight_record>());
    flights_.back()->number = static_cast<std::uint32_t>(flights_.size() - 1);
    free_flights_.push_back(flights_.back().get());
  }
  flight_record& f = *free_flights_.back();
  free_flights_.pop_back();
  f.source = &source;
  f.what = what;
  f.node = &node_of(source);
  f.frames = model_.stacks[source.stack].frames;
  f.alone = alone_;
  f.granted = false;
  f.returned = false;
  f.device_start = f.device_end = 0;
  f.work = {};
  f.work.source = &source.bound;
  f.work.level = source.level;
  f.outputs.clear();
  f.bound_outputs.clear();
  f.promises.clear();
  return f;
}

void aggregator::add_output(flight_record& f, channel_state* to, std::uint64_t promised) {
  if (to != nullptr) to->promised += promised;
  f.outputs.push_back(to);
  f.bound_outputs.push_back(to == nullptr ? nullptr : &to->bound);
  f.promises.push_back(promised);
}

/// Complete with its elements and outputs, and about to leave for the device, or there already.
void aggregator::count_flight(flight_record& f) {
  f.promised = f.promises.data();
  f.work.outputs = f.bound_outputs.data();
  f.work.output_count = static_cast<std::uint32_t>(f.bound_outputs.size());
  f.work.times.start = phase_start_;  // unless the device knows better
  ++f.source->in_flight;
  ++table_->in_flight(f.source->level);
  ++in_flight_;
  lanes_in_flight_ += f.work.count;
  ++statistics_.batches;
  statistics_.batch_elements += f.work.count;
  statistics_.largest_batch = std::max<std::uint64_t>(statistics_.largest_batch, f.work.count);
}

void aggregator::dispatch(const option& o, std::uint64_t room) {
  channel_state& c = *o.source;
  const std::uint64_t ready = std::min<std::uint64_t>(waiting_of(c, o.what), most_in_batch_);
  std::uint64_t count = std::min(ready, room);
  const std::uint32_t units = device_.compute_units();
  if (units > 1) {  // leave units that have nothing to do their share
    const std::uint32_t idle = units > in_flight_ ? units - in_flight_ : 1;
    const std::uint64_t share =
        std::min<std::uint64_t>((count + idle - 1) / idle, most_in_batch_ / 2);
    count = std::min(count,
                     std::max<std::uint64_t>(share, 4 * std::uint64_t{options_.wavefront_width}));
  }
  count = std::min(count, restart_room_);
  const bool grants = granting_ == &c && o.what == kind::waiting;
  if (grants) count = 1;  // the last of those that wait

  if (turns_of_host_ != 0) --turns_of_host_;
  flight_record& f = begin_flight(c, o.what);
  f.granted = grants;
  if (grants) granting_ = nullptr;
  if (o.what == kind::fresh) {
    f.work.count = c.ready.take(f.work.runs, batch::most_runs, static_cast<std::uint32_t>(count),
                                f.work.run_count);
    if (f.frames) c.eligible -= f.work.count;
  } else {
    auto& list = o.what == kind::resumable ? c.resumable : c.waiting;
    f.tickets.assign(list.end() - static_cast<std::ptrdiff_t>(count), list.end());
    list.resize(list.size() - count);
    f.work.tickets = f.tickets.data();
    f.work.count = static_cast<std::uint32_t>(count);
    if (o.what == kind::waiting) count_restarts(c, f.work.count);
  }
  for (const output_model& out : f.node->outputs) {
    add_output(f, table_->find(out.stack, table_->level_of(out, c.level)),
               std::max<std::uint64_t>(std::uint64_t{f.work.count} * out.bound, 1));
  }
  statistics_.cut_by_room += room < ready ? 1 : 0;
  core_.catch_up();
  count_flight(f);
  device_.submit(&f);
}

}  // namespace channels::detail
