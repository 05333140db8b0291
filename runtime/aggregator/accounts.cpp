#include <algorithm>  // clamp, max, min
#include <bit>        // bit_width

#include "runtime/aggregator/flight_record.hpp"

/// What the aggregator counts of a run, and tells others of it.
namespace channels::detail {
namespace {

/// By phase.
constexpr std::uint64_t statistics::* phase_times[] = {
    &statistics::collect_ns,  &statistics::restart_ns, &statistics::decide_ns,
    &statistics::dispatch_ns, &statistics::lent_ns,    &statistics::idle_ns};

// Relaxed, both: each figure is read for itself, and may be a moment old.
template <class T>
void publish(T& to, T value) {
  __atomic_store_n(&to, value, __ATOMIC_RELAXED);
}
template <class T>
T seen(const T& from) {
  return __atomic_load_n(&from, __ATOMIC_RELAXED);
}

}  // namespace

void aggregator::count_time(phase what) {
  if (timed_) count_time(what, ticks());
}

void aggregator::count_time(phase what, std::uint64_t now) {
  phase_ticks_[static_cast<std::size_t>(what)] += now - phase_start_;
  if (trace_ != nullptr) trace_->in_phase(what, phase_start_, now);
  phase_start_ = now;
}

/// What a device that does not time batches by our clock tells of one.
void aggregator::estimate_times(flight_record& f) {
  const std::uint64_t seen = ticks();
  batch_times& times = f.work.times;
  times.end = seen;
  if (!f.returned) times.unit = f.number;
  if (f.device_end != 0 && device_clock_) {
    device_clock& clock = *device_clock_;
    if (!f.returned) clock.learn(times.start, f.device_start, f.device_end, seen);
    const std::uint64_t start = clock.ticks_at(f.device_start);
    times.start = std::min(f.returned ? start : std::max(start, times.start), seen);
    times.end = std::clamp(clock.ticks_at(f.device_end), times.start, seen);
  }
  times.waves = (f.work.count + options_.wavefront_width - 1) / options_.wavefront_width;
  times.lanes = f.work.count;
}

void aggregator::count_batch(flight_record& f) {
  if (!device_.times_batches()) estimate_times(f);
  const batch_times& times = f.work.times;
  const int node = model_.stacks[f.source->stack].consumer;
  ended_.push_back({times.start, times.end, times.unit, f.work.level, f.work.count, f.work.consumed,
                    times.waves, times.lanes, times.retries, times.yields,
                    static_cast<std::uint32_t>(node), f.what == kind::waiting});
  if (ended_.size() == ended_.capacity()) book_batches();
}

void aggregator::book_batches() {
  for (const ended_batch& b : ended_) {
    const std::size_t size = std::bit_width(std::max<std::uint64_t>(b.count, 1) - 1);
    ++statistics_.batch_sizes[std::min(size, statistics_.batch_sizes.size() - 1)];
    const std::uint64_t busy = b.end - b.start;
    statistics_.nodes[b.node] +=
        {{}, 1, b.consumed, b.waves, b.lanes, b.retries, b.yields, 0, busy};
    if (!statistics_.units.empty()) {
      unit_statistics& unit = statistics_.units[b.unit];
      ++unit.batches;
      unit.elements += b.consumed;
      unit.busy_ns += busy;
    }
    if (trace_ != nullptr) trace_->ran(b);
  }
  ended_.clear();
}

void aggregator::count_restarts(const channel_state& c, std::uint32_t count) {
  statistics_.restarts += count;
  if (!timed_) return;
  const int node = model_.stacks[c.stack].consumer;
  statistics_.nodes[static_cast<std::size_t>(node)].restarts += count;
  if (trace_ != nullptr) {
    trace_->restarted(static_cast<std::uint32_t>(node), c.level, count, phase_start_);
  }
}

void aggregator::enter_handover() {
  const handover_log& log = handover_.log;
  if (trace_ == nullptr || log.began == 0 || !device_clock_) return;
  book_batches();  // which came before
  device_clock& clock = *device_clock_;
  const std::uint64_t now = ticks();
  clock.learn(handed_over_at_, log.began, log.ended, now);
  const auto at = [&](std::uint64_t ns) {
    return std::clamp(clock.ticks_at(ns), handed_over_at_, now);
  };
  for (const device_batch& b : log.batches) trace_->ran(b, at(b.start), at(b.end));
  for (const device_span& d : log.decisions) trace_->decided(at(d.start), at(d.end));
  std::vector<std::uint64_t> held;
  held.reserve(handover_.channels.size());
  for (const handover_channel& c : handover_.channels) held.push_back(table_->by_id(c.id).live);
  for (const device_fill& f : log.fills) {
    const handover_channel& c = handover_.channels[f.channel];
    trace_->changed(c.stack, c.level, f.elements - held[f.channel], at(f.at));
    held[f.channel] = f.elements;
  }
  trace_->dropped(log.dropped, handed_over_at_);
}

void aggregator::enter_work() {
  trace_->finish_reading();
  const noted_work work = device_.take_log();
  if (work.kept == 0 || !device_clock_ || !device_clock_->knows()) return;
  trace_->worked(work, device_, *device_clock_, start_ticks_);
}

void aggregator::finish_statistics(device::clock::time_point start) {
  // One moment, by both clocks.
  const std::uint64_t end_ticks = timed_ ? ticks() : 0;
  const auto end = device::clock::now();
  book_batches();
  table_->add_to(statistics_);
  statistics_.runs = 1;
  statistics_.timed = timed_;
  statistics_.device = device_.name();
  if (timed_) statistics_.device_model = device_.model();
  statistics_.memory_high_water += memory_bytes_ - table_->pool().size();
  statistics_.memory_limit = memory_bytes_;
  statistics_.memory_minimum = minimum_bytes(model_, options_, statistics_.deepest_level + 1);
  statistics_.compute_units = device_.compute_units();
  statistics_.width = options_.wavefront_width;
  statistics_.run_ns = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(end - start).count());
  if (timed_) turn_ticks_into_time();
  if (trace_ != nullptr) trace_->end(*table_, start_ticks_, end_ticks);
}

void aggregator::turn_ticks_into_time() {
  const tick_scale scale;
  for (std::size_t i = 0; i < phase_ticks_.size(); ++i) {
    statistics_.*phase_times[i] = scale.duration(phase_ticks_[i]);
  }
  for (node_statistics& n : statistics_.nodes) n.busy_ns = scale.duration(n.busy_ns);
  if (!statistics_.units.empty()) statistics_.work.busy_ns = 0;
  for (unit_statistics& u : statistics_.units) {
    u.busy_ns = scale.duration(u.busy_ns);
    statistics_.work.busy_ns += u.busy_ns;
  }
  const double all = static_cast<double>(statistics_.run_ns) * statistics_.compute_units;
  statistics_.waiting_share =
      std::max(0.0, 1 - static_cast<double>(statistics_.work.busy_ns) / all);
}

void aggregator::publish_progress() {
  const handover_progress there = handed_over_ ? device_.how_far() : handover_progress();
  publish(how_far_.tasks, tasks_ + there.tasks);
  publish(how_far_.yields, yields_);
  publish(how_far_.memory,
          std::uint64_t{table_->pool().in_use() + (memory_bytes_ - table_->pool().size())});
  publish(how_far_.level, std::max(table_->deepest(), there.level));
}

run_progress aggregator::how_far() const {
  return {seen(how_far_.tasks), seen(how_far_.yields), seen(how_far_.memory), seen(how_far_.level)};
}

}  // namespace channels::detail
