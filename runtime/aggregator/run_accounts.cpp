#include "runtime/aggregator/run_accounts.hpp"

#include <algorithm>  // clamp, max, min
#include <bit>        // bit_width
#include <string>     // string
#include <utility>    // move

#include "channels/detail/logging_device.hpp"

namespace channels::detail {
namespace {

/// Batches that are booked at a time: as many lines of the first-level cache, and statistics and
/// trace are not late for long.
constexpr std::size_t booked_together = 64;

/// By phase.
constexpr std::uint64_t statistics::* phase_times[] = {
    &statistics::collect_ns,  &statistics::restart_ns, &statistics::decide_ns,
    &statistics::dispatch_ns, &statistics::lent_ns,    &statistics::idle_ns};

}  // namespace

run_accounts::run_accounts(const run_context& run, std::shared_ptr<trace_session> trace)
    : run_(run), timed_(run.options.observed()) {
  if (trace != nullptr) {
    trace_ = std::make_unique<run_trace>(
        std::move(trace), run.model, run.on.times_batches() ? "compute unit" : "batches in flight,",
        std::string(run.on.unit_name()), run.options.wavefront_width);
  }
  if (!timed_) return;
  ended_.reserve(booked_together);
  for (const node_model& n : run.model.nodes) statistics_.nodes.emplace_back().name = n.name;
  if (run.on.times_batches()) {
    statistics_.units.resize(run.on.compute_units());
  } else {
    device_clock_.emplace();
  }
}

void run_accounts::batch_dispatched(flight_record& f) {
  f.work.times.start = phase_start_;  // a device that times batches writes a better one
  ++statistics_.batches;
  statistics_.batch_elements += f.work.count;
  statistics_.largest_batch = std::max<std::uint64_t>(statistics_.largest_batch, f.work.count);
}

void run_accounts::batch_ended(flight_record& f) {
  if (timed_) keep(f);
  if (!f.source->frames) tasks_ += f.work.consumed - f.work.restarted;
}

/// Notes what a batch did, of a timed run, to be booked with others.
void run_accounts::keep(flight_record& f) {
  if (!run_.on.times_batches()) estimate_times(f);
  const batch_times& times = f.work.times;
  ended_.push_back({times.start, times.end, times.unit, f.work.level, f.work.count, f.work.consumed,
                    times.waves, times.lanes, times.retries, times.yields,
                    static_cast<std::uint32_t>(run_.node_number(*f.source)),
                    f.what == ready_kind::waiting});
  if (ended_.size() == ended_.capacity()) book_batches();
}

/// Fills in the times of a batch whose device does not time batches in ticks.
void run_accounts::estimate_times(flight_record& f) {
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
  times.waves = (f.work.count + run_.options.wavefront_width - 1) / run_.options.wavefront_width;
  times.lanes = f.work.count;
}

/// Enters the batches that were kept in statistics and trace.
void run_accounts::book_batches() {
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

void run_accounts::restarted(const channel_state& c, std::uint32_t count) {
  statistics_.restarts += count;
  if (!timed_) return;
  const std::size_t node = run_.node_number(c);
  statistics_.nodes[node].restarts += count;
  if (trace_ != nullptr) {
    trace_->restarted(static_cast<std::uint32_t>(node), c.level, count, phase_start_);
  }
}

void run_accounts::handover_began() {
  if (timed_) handover_began_ = ticks();
  if (trace_ != nullptr) trace_->look(run_.table, handover_began_);
  ++statistics_.handovers;
}

void run_accounts::handover_ended(const handover& h) {
  trace_handover(h);
  for (std::size_t i = 0; i < h.nodes.size(); ++i) {
    statistics_.batch_elements += h.nodes[i].elements;
    if (!run_.model.stacks[run_.model.nodes[i].stack].frames) tasks_ += h.nodes[i].elements;
    if (!timed_) continue;
    statistics_.nodes[i].batches += h.nodes[i].batches;
    statistics_.nodes[i].elements += h.nodes[i].elements;
  }
  statistics_.batches += h.batches;
  statistics_.cut_by_room += h.cut_by_room;
  statistics_.largest_batch = std::max(statistics_.largest_batch, h.largest_batch);
  statistics_.device_decide_ns += h.decide_ns;
  statistics_.device_idle_ns += h.idle_ns;
}

/// Enters in the trace what the device aggregator noted.
void run_accounts::trace_handover(const handover& h) {
  const handover_log& log = h.log;
  if (trace_ == nullptr || log.began == 0 || !device_clock_) return;
  book_batches();  // those that ended before the handover come first in the trace
  device_clock& clock = *device_clock_;
  const std::uint64_t now = ticks();
  clock.learn(handover_began_, log.began, log.ended, now);
  const auto at = [&](std::uint64_t ns) {
    return std::clamp(clock.ticks_at(ns), handover_began_, now);
  };
  for (const device_batch& b : log.batches) trace_->ran(b, at(b.start), at(b.end));
  for (const device_span& d : log.decisions) trace_->decided(at(d.start), at(d.end));
  std::vector<std::uint64_t> held;
  held.reserve(h.channels.size());
  for (const handover_channel& c : h.channels) held.push_back(run_.table.by_id(c.id).live);
  for (const device_fill& f : log.fills) {
    const handover_channel& c = h.channels[f.channel];
    trace_->changed(c.stack, c.level, f.elements - held[f.channel], at(f.at));
    held[f.channel] = f.elements;
  }
  trace_->dropped(log.dropped, handover_began_);
}

void run_accounts::take_work(const work_counters& work) {
  statistics_.work = work;
  if (trace_ == nullptr) return;
  trace_->finish_reading();
  logging_device* const log = run_.on.as_logging();
  if (log == nullptr) return;
  const noted_work noted = log->take_log();
  if (noted.kept == 0 || !device_clock_ || !device_clock_->knows()) return;
  trace_->worked(noted, *log, *device_clock_, start_ticks_);
}

void run_accounts::end() {
  // Both clocks at the same moment.
  const std::uint64_t end_ticks = timed_ ? ticks() : 0;
  const auto end = device::clock::now();
  book_batches();
  run_.table.add_to(statistics_);
  statistics_.runs = 1;
  statistics_.timed = timed_;
  statistics_.device = run_.on.name();
  if (timed_) statistics_.device_model = run_.on.model();
  statistics_.memory_high_water += run_.memory_bytes - run_.table.pool().size();
  statistics_.memory_limit = run_.memory_bytes;
  statistics_.memory_minimum =
      minimum_bytes(run_.model, run_.options, statistics_.deepest_level + 1);
  statistics_.compute_units = run_.on.compute_units();
  statistics_.width = run_.options.wavefront_width;
  statistics_.run_ns = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(end - start_).count());
  if (timed_) turn_ticks_into_time();
  if (trace_ != nullptr) trace_->end(run_.table, start_ticks_, end_ticks);
}

void run_accounts::turn_ticks_into_time() {
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

}  // namespace channels::detail
