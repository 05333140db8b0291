#include "runtime/aggregator/aggregator.hpp"

#include <fmt/format.h>  // format

#include <algorithm>  // min, max
#include <bit>        // bit_floor
#include <cassert>    // assert
#include <cmath>      // pow

#include "channels/error.hpp"

namespace channels::detail {

struct aggregator::flight_record : flight {
  channel_state* source = nullptr;
  kind what = kind::fresh;
  std::vector<channel_state*> outputs;
  std::vector<const bound_channel*> bound_outputs;
  std::vector<std::uint64_t> promised;  ///< to each output
  std::vector<std::uint64_t> tickets;
  std::uint64_t reserved_before = 0;  ///< tickets handed out by the outputs
};

namespace {

std::uint64_t reserved_by(const std::vector<channel_state*>& outputs) {
  std::uint64_t sum = 0;
  for (const channel_state* const c : outputs) sum += c != nullptr ? c->bound.view.reserved() : 0;
  return sum;
}

}  // namespace

aggregator::aggregator(device& on, const graph_model& model, const scheduling_policy& policy,
                       const settings& options)
    : device_(on),
      model_(model),
      policy_(policy),
      options_(options),
      memory_bytes_(options.memory),
      memory_(on.allocate(options.memory)),
      pushed_(model.stacks.size(), 0),
      fruitless_before_refused_(
          options.force_yield > 0
              ? static_cast<std::uint64_t>(100 / std::pow(1 - options.force_yield, 4))
              : 0),
      timed_(!options.statistics.empty()) {
  if (memory_ == nullptr) {
    throw error(
        fmt::format("{}: the {} device has no {} bytes for channels; set CHANNELS_MEMORY lower",
                    model.name, on.name(), options.memory));
  }
  const std::size_t used = lay_out_restarts();
  table_ =
      std::make_unique<channel_table>(on, model, options, memory_ + used, memory_bytes_ - used);
}

aggregator::~aggregator() { device_.release(memory_, memory_bytes_); }

/// The channel of restart contexts: as many elements as lanes may be in flight, for each may leave
/// one; so it is never full. At most a thirty-second part of the memory, which then limits batches.
std::size_t aggregator::lay_out_restarts() {
  const std::uint64_t per_element =
      sizeof(restart_context) + 2 * sizeof(std::uint64_t) + sizeof(std::uint32_t);
  const std::uint64_t wanted =
      std::bit_ceil(std::uint64_t{options_.batch} * device_.most_in_flight());
  const std::uint64_t affordable =
      std::bit_floor(std::max<std::uint64_t>(memory_bytes_ / 32 / per_element, 16));
  restarts_capacity_ = static_cast<std::uint32_t>(std::min(wanted, affordable));
  most_in_batch_ =
      std::min(options_.batch, std::max(restarts_capacity_ / device_.most_in_flight(), 1U));
  // Groups of one: a reclaimer that skips the rest of a larger group hides its room for a moment.
  const channel_geometry geometry{restarts_capacity_, 1};
  const std::size_t bytes = geometry.bytes(layout_of<restart_context>::bytes(restarts_capacity_));
  if (bytes > memory_bytes_) {
    device_.release(memory_, memory_bytes_);
    throw error(fmt::format(
        "{}: {} bytes of channel memory do not hold even the channel of restart contexts ({} "
        "bytes); set CHANNELS_MEMORY higher",
        model_.name, memory_bytes_, bytes));
  }
  device_.zero(memory_, channel_view::zeroed_bytes(geometry));
  restarts_ = {channel_view(memory_, geometry), ~std::uint32_t{0}};
  return bytes;
}

void aggregator::execute() {
  std::unique_lock lock(state_mutex_);
  run_setup setup;
  setup.restarts = &restarts_;
  setup.width = options_.wavefront_width;
  setup.refuse_share = static_cast<std::uint32_t>(options_.force_yield * 4294967295.0);
  setup.seed = options_.seed;
  setup.timed = timed_;
  device_.begin(setup);
  const auto start = device::clock::now();
  phase_start_ = start;
  std::exception_ptr failure;
  try {
    for (;;) {
      while (flight* const f = device_.poll()) complete(*static_cast<flight_record*>(f));
      collect_restarts();
      if (pushes_left_) push_from_host();
      if (changed_ && !stopping()) {
        while (in_flight_ < (alone_ ? 1 : device_.most_in_flight()) && dispatch_next()) {
        }
        changed_ = in_flight_ == 0;
      }
      if (in_flight_ == 0) {
        if (stopping() || finished()) break;
        if (!alone_ && device_.most_in_flight() > 1) {
          // Others may have held what a batch did not get, or reclaiming may have hidden it.
          alone_ = true;
          ++progress_;
        } else {
          relieve_or_fail();
        }
        continue;
      }
      lock.unlock();
      const bool ran = device_.lend(device::clock::now() + std::chrono::milliseconds(1));
      lock.lock();
      count_time(ran ? &statistics::lent_ns : &statistics::idle_ns);
    }
  } catch (...) {
    failure = std::current_exception();
    device_.stop();
    while (in_flight_ != 0) {
      while (flight* const f = device_.poll()) complete(*static_cast<flight_record*>(f));
      lock.unlock();
      device_.lend(device::clock::now() + std::chrono::milliseconds(1));
      lock.lock();
    }
  }
  statistics_.work = device_.end();
  table_->add_to(statistics_);
  statistics_.timed = timed_;
  statistics_.memory_high_water += memory_bytes_ - table_->pool().size();
  statistics_.memory_limit = memory_bytes_;
  statistics_.compute_units = device_.compute_units();
  statistics_.width = options_.wavefront_width;
  statistics_.run_ns = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(device::clock::now() - start).count());
  if (timed_) {
    const double all = static_cast<double>(statistics_.run_ns) * statistics_.compute_units;
    statistics_.waiting_share =
        std::max(0.0, 1 - static_cast<double>(statistics_.work.busy_ns) / all);
  }
  if (failure) std::rethrow_exception(failure);
  const std::lock_guard stop_lock(stop_mutex_);
  if (stop_asked_) throw error(stop_reason_);
}

/// Elements pushed by the host (the paper's init node): as many as there is room for.
void aggregator::push_from_host() {
  pushes_left_ = false;
  for (std::uint32_t i = 0; i < model_.stacks.size(); ++i) {
    const stack_model& s = model_.stacks[i];
    if (pushed_[i] == s.pushed.size()) continue;
    const std::size_t left = (s.pushed.size() - pushed_[i]) / s.element_bytes;
    channel_state* const c = table_->prepare(i, 0, left);
    if (c == nullptr) {
      throw error(
          fmt::format("{}: no memory for a channel at level 0; {} bytes are not enough, {} are "
                      "needed at least: "
                      "set CHANNELS_MEMORY higher",
                      s.name, memory_bytes_, minimum_bytes(model_, options_, 2)));
    }
    table_->reclaim(*c);
    const run r = c->bound.view.talloc_between(
        1, static_cast<std::uint32_t>(std::min<std::size_t>(left, 1U << 20U)));
    for (std::uint32_t k = 0; k < r.count; ++k) {
      s.store(c->bound.view, r.first + k, s.pushed.data() + pushed_[i]);
      pushed_[i] += s.element_bytes;
    }
    c->bound.view.enq(r);
    if (r) {
      ++progress_;
      changed_ = true;
    }
    table_->refresh(*c);
    pushes_left_ |= pushed_[i] != s.pushed.size();
  }
}

const node_model& aggregator::node_of(const channel_state& c) const {
  return model_.nodes[static_cast<std::size_t>(model_.stacks[c.stack].consumer)];
}

std::uint64_t aggregator::waiting_of(const channel_state& c, kind what) const {
  switch (what) {
    case kind::fresh: return model_.stacks[c.stack].frames ? c.eligible : c.ready.count();
    case kind::resumable: return c.resumable.size();
    case kind::waiting: break;
  }
  return c.waiting.size();
}

void aggregator::complete(flight_record& f) {
  channel_state& source = *f.source;
  changed_ = true;
  --in_flight_;
  lanes_in_flight_ -= f.work.count;
  --source.in_flight;
  --table_->in_flight(source.level);
  const bool left_over = f.work.consumed != f.work.count;
  if (left_over) put_back(f);
  // Nothing changed if nobody was consumed, or all went back to waiting without having spawned.
  const bool stayed = f.what == kind::waiting && f.work.restarted == f.work.consumed &&
                      reserved_by(f.outputs) == f.reserved_before;
  const bool changed = f.work.consumed != 0 && !stayed;
  fruitless_ = changed ? 0 : fruitless_ + 1;
  alone_ &= !changed;
  if (changed || fruitless_ < fruitless_before_refused_) {
    ++progress_;
    __atomic_fetch_add(&beats_, 1, __ATOMIC_RELAXED);
  } else {
    source.refused_at[static_cast<std::size_t>(f.what)] = progress_;
  }
  for (std::size_t i = 0; i < f.outputs.size(); ++i) {
    channel_state* const c = f.outputs[i];
    if (c == nullptr) continue;
    c->promised -= f.promised[i];  // only now: one that is an output twice must outlive the first
    if (c != &source) table_->refresh(*c);
  }
  table_->refresh(source);
  free_flights_.push_back(&f);
  count_time(&statistics::collect_ns);
}

/// Elements that were not consumed are ready as before.
void aggregator::put_back(flight_record& f) {
  channel_state& c = *f.source;
  if (f.what != kind::fresh) {
    auto& list = f.what == kind::resumable ? c.resumable : c.waiting;
    list.insert(list.end(), f.tickets.begin() + f.work.consumed, f.tickets.end());
  } else {
    std::uint32_t behind = f.work.count;
    for (std::uint32_t i = f.work.run_count; i-- > 0 && behind > f.work.consumed;) {
      run r = f.work.runs[i];
      behind -= r.count;
      if (behind < f.work.consumed) {
        r.first += f.work.consumed - behind;
        r.count -= f.work.consumed - behind;
      }
      c.ready.push_front(r);
      if (model_.stacks[c.stack].frames) c.eligible += r.count;
    }
  }
  table_->mark_active(c.level);
}

/// Files restart contexts under the channel of the frame that they name.
void aggregator::collect_restarts() {
  while (const run r = restarts_.view.peek(restarts_position_)) {
    ++restarts_position_;
    changed_ = true;
    for (std::uint32_t i = 0; i < r.count; ++i) {
      const auto context = layout_of<restart_context>::load(
          restarts_.view.data(), restarts_capacity_, restarts_.view.slot(r.first + i));
      channel_state& c = table_->by_id(context.channel);
      switch (context.reason) {
        case restart_reason::no_room: c.waiting.push_back(context.ticket); break;
        case restart_reason::suspended: c.suspended.push_back(context.ticket); break;
        case restart_reason::ready: c.resumable.push_back(context.ticket); break;
      }
      table_->mark_active(c.level);
    }
    restarts_.view.tfree(r);
  }
  restarts_.view.reclaim();
  count_time(&statistics::restart_ns);
}

/// The levelized rule: when no deeper level holds anything and nothing of this level runs, all
/// children of its frames have finished. What is enqueued later waits for the next time.
void aggregator::release_frames() {
  const std::int64_t level = table_->deepest();
  if (level < 0 || table_->in_flight(static_cast<std::uint32_t>(level)) != 0) return;
  for (channel_state* const c : table_->at(static_cast<std::uint32_t>(level))) {
    if (!model_.stacks[c->stack].frames) continue;
    c->eligible = c->ready.count();
    c->resumable.insert(c->resumable.end(), c->suspended.begin(), c->suspended.end());
    c->suspended.clear();
    if (c->eligible != 0 || !c->resumable.empty()) table_->mark_active(c->level);
  }
}

bool aggregator::dispatch_next() {
  release_frames();
  // Each pass asks for less: predicates are for a device that has other things to do, and what has
  // no room may still hold elements that need none.
  bool found = gather(true, false);
  if (!found && in_flight_ == 0) found = gather(false, false) || gather(false, true);
  std::optional<std::size_t> chosen;
  if (found) chosen = policy_.choose(candidates_);
  count_time(&statistics::decide_ns);
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
  count_time(&statistics::dispatch_ns);
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
  const auto wanted = [&](const output_model& o) { return pending * o.bound; };
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

void aggregator::dispatch(const option& o, std::uint64_t room) {
  channel_state& c = *o.source;
  const node_model& node = node_of(c);
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

  if (free_flights_.empty()) {
    flights_.push_back(std::make_unique<flight_record>());
    free_flights_.push_back(flights_.back().get());
  }
  flight_record& f = *free_flights_.back();
  free_flights_.pop_back();
  f.source = &c;
  f.what = o.what;
  f.kernel.host = node.run;
  f.arguments = node.arguments.get();
  f.work = {};
  f.work.source = &c.bound;
  f.work.level = c.level;
  if (o.what == kind::fresh) {
    f.work.count = c.ready.take(f.work.runs, batch::most_runs, static_cast<std::uint32_t>(count),
                                f.work.run_count);
    if (model_.stacks[c.stack].frames) c.eligible -= f.work.count;
  } else {
    auto& list = o.what == kind::resumable ? c.resumable : c.waiting;
    f.tickets.assign(list.end() - static_cast<std::ptrdiff_t>(count), list.end());
    list.resize(list.size() - count);
    f.work.tickets = f.tickets.data();
    f.work.count = static_cast<std::uint32_t>(count);
    statistics_.restarts += o.what == kind::waiting ? count : 0;
  }
  f.outputs.clear();
  f.bound_outputs.clear();
  f.promised.clear();
  for (const output_model& out : node.outputs) {
    channel_state* const to = table_->find(out.stack, table_->level_of(out, c.level));
    const std::uint64_t promised =
        std::max<std::uint64_t>(std::uint64_t{f.work.count} * out.bound, 1);
    if (to != nullptr) to->promised += promised;
    f.outputs.push_back(to);
    f.bound_outputs.push_back(to == nullptr ? nullptr : &to->bound);
    f.promised.push_back(promised);
  }
  f.work.outputs = f.bound_outputs.data();
  f.work.output_count = static_cast<std::uint32_t>(f.bound_outputs.size());
  f.reserved_before = reserved_by(f.outputs);
  ++c.in_flight;
  ++table_->in_flight(c.level);
  ++in_flight_;
  lanes_in_flight_ += f.work.count;
  ++statistics_.batches;
  statistics_.batch_elements += f.work.count;
  statistics_.largest_batch = std::max<std::uint64_t>(statistics_.largest_batch, f.work.count);
  device_.submit(&f);
}

/// Nothing runs: the run is over when no channel holds anything and the host has nothing to push.
bool aggregator::finished() {
  if (pushes_left_) return false;
  for (std::uint32_t level = 0; level < table_->level_count(); ++level) {
    for (channel_state* const c : table_->at(level)) {
      table_->collect(*c);
      table_->reclaim(*c);
      if (c->live != 0) return false;
    }
  }
  return true;
}

void aggregator::count_time(std::uint64_t statistics::* phase) {
  if (!timed_) return;
  const auto now = device::clock::now();
  statistics_.*phase += static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now - phase_start_).count());
  phase_start_ = now;
}

bool aggregator::stopping() const {
  if (device_.stopped()) return true;
  const std::lock_guard lock(stop_mutex_);
  return stop_asked_;
}

void aggregator::stop(std::string why) {
  {
    const std::lock_guard lock(stop_mutex_);
    if (!stop_asked_) stop_reason_ = std::move(why);
    stop_asked_ = true;
  }
  device_.stop();
}

std::uint64_t aggregator::progress() const {
  // Relaxed: only whether it changes matters.
  return __atomic_load_n(&beats_, __ATOMIC_RELAXED) + device_.heartbeat();
}

}  // namespace channels::detail
