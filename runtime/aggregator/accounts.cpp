#include <algorithm>  // max, min
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
  if (!timed_) return;
  const std::uint64_t now = ticks();
  phase_ticks_[static_cast<std::size_t>(what)] += now - phase_start_;
  if (trace_ != nullptr) trace_->in_phase(what, phase_start_, now);
  phase_start_ = now;
}

/// What a device that does not time batches tells of one.
void aggregator::estimate_times(flight_record& f) const {
  f.times.end = ticks();
  f.times.unit = f.number;
  f.times.did = {};
  f.times.did.waves = (f.work.count + options_.wavefront_width - 1) / options_.wavefront_width;
  f.times.did.lanes = f.work.count;
  (f.frames ? f.times.did.yields : f.times.did.retries) = f.work.restarted;
}

void aggregator::count_batch(flight_record& f) {
  if (!device_.times_batches()) estimate_times(f);
  const std::size_t size = std::bit_width(std::max<std::uint64_t>(f.work.count, 1) - 1);
  ++statistics_.batch_sizes[std::min(size, statistics_.batch_sizes.size() - 1)];
  const int node = model_.stacks[f.source->stack].consumer;
  const host::work_counters& did = f.times.did;
  const std::uint64_t busy = f.times.end - f.times.start;
  statistics_.nodes[static_cast<std::size_t>(node)] +=
      {{}, 1, f.work.consumed, did.waves, did.lanes, did.retries, did.yields, 0, busy};
  if (!statistics_.units.empty()) {
    unit_statistics& unit = statistics_.units[f.times.unit];
    ++unit.batches;
    unit.elements += f.work.consumed;
    unit.busy_ns += busy;
  }
  if (trace_ != nullptr) trace_->ran(f, static_cast<std::uint32_t>(node), f.what == kind::waiting);
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

void aggregator::finish_statistics(device::clock::time_point start) {
  const std::uint64_t end_ticks = timed_ ? ticks() : 0;
  const auto end = device::clock::now();
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
  publish(how_far_.tasks, tasks_);
  publish(how_far_.yields, yields_);
  publish(how_far_.memory,
          std::uint64_t{table_->pool().in_use() + (memory_bytes_ - table_->pool().size())});
  publish(how_far_.level, table_->deepest());
}

run_progress aggregator::how_far() const {
  return {seen(how_far_.tasks), seen(how_far_.yields), seen(how_far_.memory), seen(how_far_.level)};
}

}  // namespace channels::detail
