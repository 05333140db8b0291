#include "runtime/aggregator/aggregator.hpp"

#include <fmt/format.h>  // format

#include <algorithm>  // min, max
#include <bit>        // bit_floor
#include <cmath>      // pow
#include <cstring>    // memset

#include "channels/error.hpp"
#include "runtime/aggregator/flight_record.hpp"

namespace channels::detail {
namespace {

/// Batches: as many lines of the first-level cache are used at a time, and few are unknown for
/// long.
constexpr std::size_t booked_together = 64;

}  // namespace

aggregator::aggregator(device& on, const graph_model& model, const scheduling_policy& policy,
                       const settings& options, std::shared_ptr<trace_session> trace)
    : device_(on),
      model_(model),
      policy_(policy),
      options_(options),
      core_(options.slow_aggregator),
      memory_bytes_(model.allocates ? options.memory / 2 : options.memory),
      memory_(on.allocate(memory_bytes_)),
      pushed_(model.stacks.size(), 0),
      fruitless_before_refused_(
          options.force_yield > 0
              ? static_cast<std::uint64_t>(100 / std::pow(1 - options.force_yield, 4))
              : 0),
      timed_(options.observed()) {
  if (memory_.data == nullptr) {
    throw error(
        fmt::format("{}: the {} device has no {} bytes for channels; set CHANNELS_MEMORY lower",
                    model.name, on.name(), memory_bytes_));
  }
  if (model.allocates) {
    try {
      task_memory_ = on.make_task_memory(options.memory - memory_bytes_);
    } catch (const error& e) {
      on.release(memory_, memory_bytes_);
      throw error(fmt::format("{}: {}", model.name, e.what()));
    }
  }
  const std::size_t used = lay_out_restarts();
  table_ = std::make_unique<channel_table>(
      model, options, channel_memory{memory_.control + used, memory_.data + used},
      memory_bytes_ - used, !on.reports_writes());
  if (trace != nullptr) {
    trace_ = std::make_unique<run_trace>(std::move(trace), model,
                                         on.times_batches() ? "compute unit" : "batches in flight,",
                                         std::string(on.unit_name()), options.wavefront_width);
  }
  if (timed_) {
    ended_.reserve(booked_together);
    for (const node_model& n : model.nodes) statistics_.nodes.emplace_back().name = n.name;
    if (on.times_batches()) {
      statistics_.units.resize(on.compute_units());
    } else {
      device_clock_.emplace();
    }
  }
}

aggregator::~aggregator() {
  // The next run has as much then that it need not clear: 84 MB for batches of a million.
  if (ended_well_) restarts_.view.clear();
  memory_.clean = ended_well_ ? restarts_clean_ : 0;
  device_.release(memory_, memory_bytes_);
}

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
  restarts_clean_ = channel_view::zeroed_bytes(geometry);
  if (memory_.clean < restarts_clean_)
    std::memset(memory_.control + memory_.clean, 0, restarts_clean_ - memory_.clean);
  restarts_ = {channel_view(memory_.control, geometry), ~std::uint32_t{0}};
  return bytes;
}

void aggregator::execute() {
  std::unique_lock lock(state_mutex_);
  run_setup setup;
  setup.restarts = &restarts_;
  setup.memory = task_memory_.get();
  setup.width = options_.wavefront_width;
  setup.refuse_share = static_cast<std::uint32_t>(options_.force_yield * 4294967295.0);
  setup.seed = options_.seed;
  setup.timed = timed_;
  setup.log = trace_ != nullptr ? options_.trace_events : 0;
  setup.model = &model_;
  device_.begin(setup);
  if (options_.aggregator == aggregator_place::device) {
    const std::string why =
        policy_.goes_by() == scheduling_order::custom
            ? fmt::format("the scheduling policy '{}' is code of the host", policy_.name())
            : device_.why_no_aggregator(model_);
    if (!why.empty()) {
      throw error(fmt::format(
          "{}: the aggregator cannot be on the device '{}': {}; set CHANNELS_AGGREGATOR to host",
          model_.name, device_.name(), why));
    }
    on_device_ = true;
    table_->blank_frames_with(
        [this](std::byte* data, std::size_t bytes) { device_.blank(data, bytes); });
  }
  const auto start = device::clock::now();
  if (timed_) phase_start_ = start_ticks_ = ticks();
  std::exception_ptr failure;
  try {
    for (;;) {
      if (handed_over_ && device_.has_handed_back(handover_)) take_back();
      while (flight* const f = device_.poll()) complete(*static_cast<flight_record*>(f));
      collect_restarts();
      if (trace_ != nullptr) trace_->sample(*table_, phase_start_);
      if (options_.progress) publish_progress();
      if (starved_ != 0 && task_memory_->releases() != releases_seen_) release_starved();
      if (pushes_left_) push_from_host();
      if (changed_ && !handed_over_ && !stopping() && !hand_over()) {
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
      core_.catch_up();
      lock.unlock();
      const bool ran = device_.lend(device::clock::now() + std::chrono::milliseconds(1));
      lock.lock();
      core_.begin();
      if (!ran) {
        count_time(phase::idle);
      } else if (timed_) {
        count_time(phase::lent, device_.lent_until());
      }
    }
  } catch (...) {
    failure = std::current_exception();
    device_.stop();
    while (in_flight_ != 0) {
      if (handed_over_ && device_.has_handed_back(handover_)) {
        handed_over_ = false;
        --in_flight_;
      }
      while (flight* const f = device_.poll()) complete(*static_cast<flight_record*>(f));
      lock.unlock();
      device_.lend(device::clock::now() + std::chrono::milliseconds(1));
      lock.lock();
    }
  }
  // Not the last thing: of a run that failed, too, one wants to know what it did.
  try {
    statistics_.work = device_.end();
    if (trace_ != nullptr) enter_work();
  } catch (const error& e) {
    const std::lock_guard stop_lock(stop_mutex_);
    // What kept the run from ending belongs to why it was to end.
    failure = stop_asked_ ? std::make_exception_ptr(error(stop_reason_ + e.what()))
                          : std::current_exception();
  } catch (...) {
    failure = std::current_exception();
  }
  finish_statistics(start);
  if (failure) std::rethrow_exception(failure);
  const std::lock_guard stop_lock(stop_mutex_);
  if (stop_asked_) throw error(stop_reason_);
  ended_well_ = true;
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
    store(*c, r, s.pushed.data() + pushed_[i]);
    pushed_[i] += r.count * s.element_bytes;
    table_->enqueue(*c, r);
    if (r) {
      ++progress_;
      changed_ = true;
    }
    table_->refresh(*c);
    pushes_left_ |= pushed_[i] != s.pushed.size();
  }
}

void aggregator::store(channel_state& c, run r, const std::byte* elements) {
  const stack_model& s = model_.stacks[c.stack];
  const channel_view& view = c.bound.view;
  // The elements' place in the host's memory, of which the device gets a copy.
  const auto from_start = static_cast<std::size_t>(view.data() - memory_.data);
  const channel_view here(
      memory_.control + from_start - channel_view::zeroed_bytes(c.geometry, view.has_control()),
      c.geometry, view.has_control());
  for (std::uint32_t k = 0; k < r.count; ++k)
    s.store(here, r.first + k, elements + k * s.element_bytes);
  while (r) {
    const std::uint32_t slot = view.slot(r.first);
    const std::uint32_t count = std::min(r.count, view.capacity() - slot);
    s.each_piece(view.capacity(), slot, count, [&](std::size_t offset, std::size_t bytes) {
      device_.upload(memory_, from_start + offset, bytes);
    });
    r.first += count;
    r.count -= count;
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
