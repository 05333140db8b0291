#include "runtime/aggregator/handovers.hpp"

#include <fmt/format.h>  // format

#include <algorithm>  // max, min, all_of, any_of
#include <bit>        // bit_ceil
#include <string>     // string
#include <utility>    // move

#include "channels/error.hpp"

namespace channels::detail {
namespace {

/// Levels ahead, at most.
constexpr std::uint32_t most_levels_ahead = 48;

/// Dispatches by the host when the device could do nothing with what it was handed.
constexpr std::uint32_t turns_after_none = 8;

}  // namespace

void handovers::allow(const scheduling_policy& policy) {
  aggregating_device* const candidate = run_.on.as_aggregating();
  const std::string why =
      policy.goes_by() == scheduling_order::custom
          ? fmt::format("the scheduling policy '{}' is code of the host", policy.name())
      : candidate == nullptr ? "it has no aggregator of its own"
                             : candidate->why_no_aggregator(run_.model);
  if (!why.empty()) {
    throw error(fmt::format(
        "{}: the aggregator cannot be on the device '{}': {}; set CHANNELS_AGGREGATOR to host",
        run_.model.name, run_.on.name(), why));
  }
  device_ = candidate;
  order_ = policy.goes_by();
  run_.table.blank_frames_with(
      [candidate](std::byte* data, std::size_t bytes) { candidate->blank(data, bytes); });
}

bool handovers::hand_over() {
  if (device_ == nullptr || turns_of_host_ != 0 || headway_.alone() || !is_tidy()) return false;
  if (flights_.count() != 0) return true;
  // A handback for lack of levels takes longer than to make them. But the memory of frames of the
  // counted rule is filled when they are made, which takes longer still.
  if (std::all_of(run_.model.stacks.begin(), run_.model.stacks.end(),
                  [](const stack_model& s) { return s.control; })) {
    levels_ahead_ = most_levels_ahead;
  }
  make_channels_ahead();
  if (!describe_channels()) {
    turns_of_host_ = turns_after_none;
    return false;
  }
  handover_.batches = handover_.cut_by_room = handover_.largest_batch = 0;
  handover_.decide_ns = handover_.idle_ns = 0;
  handover_.nodes.clear();
  handover_.left.clear();
  handover_.model = &run_.model;
  handover_.order = order_;
  handover_.most_in_batch = restarts_.most_in_batch();
  // The device finds those frames itself.
  for (const handover_channel& c : handover_.channels) run_.table.by_id(c.id).resumable.clear();
  accounts_.handover_began();
  device_->hand_over(handover_);
  on_ = true;
  headway_.decided();
  return true;
}

/// Whether nothing waits for the host: no element or frame is in a list by itself.
bool handovers::is_tidy() const {
  if (!restarts_.is_empty()) return false;
  for (std::uint32_t level = 0; level < run_.table.level_count(); ++level) {
    for (const channel_state* const c : run_.table.at(level)) {
      // Frames of the counted rule say themselves that they are ready.
      if (!c->waiting.empty() || !c->starved.empty() || !c->granted.empty() ||
          !c->suspended.empty() || (!c->resumable.empty() && run_.model.stacks[c->stack].control) ||
          c->ready.runs() > handover_channel::most_runs / 2) {
        return false;
      }
    }
  }
  return true;
}

/// Makes the channels that the device will want: those for which there is work if all that is
/// ready, and all that it writes, writes as much as it may.
void handovers::make_channels_ahead() {
  const std::int64_t deepest = run_.table.deepest();
  const std::uint32_t end = static_cast<std::uint32_t>(deepest + 1) + levels_ahead_;
  std::vector<std::uint64_t> here(run_.model.stacks.size(), 0);
  std::vector<std::uint64_t> below(run_.model.stacks.size(), 0);
  for (std::uint32_t level = 0; level < end; ++level) {
    std::fill(below.begin(), below.end(), 0);
    for (std::uint32_t i = 0; i < run_.model.stacks.size(); ++i) {
      const stack_model& s = run_.model.stacks[i];
      if (!s.levels && level != 0) continue;
      const channel_state* const c = run_.table.find(i, level);
      const std::uint64_t pending = std::min<std::uint64_t>(
          here[i] + (c == nullptr ? 0 : c->ready.count()), std::max(s.capacity, 1U));
      // Nobody knows what continuations spawn: nothing more is made for them.
      if (s.frames || s.consumer < 0 || pending == 0) continue;
      const node_model& node = run_.model.nodes[static_cast<std::size_t>(s.consumer)];
      const auto wanted = [&](const output_model& o) { return pending * std::max(o.bound, 1U); };
      // When half of the memory is taken, the host makes only what turns out to be wanted.
      if (run_.table.pool().in_use() <= run_.table.pool().size() / 2) {
        run_.table.prepare_all(node, level, wanted);
      }
      for (const output_model& o : node.outputs) {
        channel_state* const to = run_.table.find(o.stack, run_.table.level_of(o, level));
        if (to != nullptr) to->asked = std::max(to->asked, 2 * std::bit_ceil(wanted(o)));
        if (o.step == 1) below[o.stack] += wanted(o);
      }
    }
    here.swap(below);
  }
}

/// Describes the channels for the device. False if nothing is left to do, or if there are more
/// channels than the device keeps.
bool handovers::describe_channels() {
  handover_.channels.clear();
  handover_.done.clear();
  std::uint32_t first = ~std::uint32_t{0};
  std::uint32_t last = 0;
  for (std::uint32_t level = 0; level < run_.table.level_count(); ++level) {
    for (const channel_state* const c : run_.table.at(level)) {
      run_.table.reclaim(run_.table.by_id(c->bound.id));
      if (c->live == 0) continue;
      first = std::min(first, level);
      last = level;
    }
  }
  if (first > last) return false;  // nothing is left: the host ends the run
  const bool flat = std::any_of(run_.model.stacks.begin(), run_.model.stacks.end(),
                                [](const stack_model& s) { return !s.levels; });
  if (flat) first = 0;
  last = std::min(last + levels_ahead_, run_.table.level_count() - 1);
  for (std::uint32_t level = first; level <= last; ++level) {
    for (const channel_state* const c : run_.table.at(level)) {
      handover_channel& s = handover_.channels.emplace_back();
      const channel_view& view = c->bound.view;
      s.data = view.data();
      s.tail = view.reserved();
      s.id = c->bound.id;
      s.stack = c->stack;
      s.level = level;
      s.capacity = view.capacity();
      s.done_group = view.done_group();
      s.asked = c->asked;
      s.most_live = c->most_live;
      s.current = c->current ? 1 : 0;
      s.run_count = c->ready.copy_by_ticket(s.runs, handover_channel::most_runs);
      if (!run_.model.stacks[c->stack].control) describe_counted(*c, s);
    }
  }
  return handover_.channels.size() <= most_handover_channels &&
         (std::size_t{last} - first + 1) * run_.model.stacks.size() <= most_handover_places;
}

void handovers::describe_counted(const channel_state& c, handover_channel& s) {
  const channel_view& view = c.bound.view;
  const std::uint32_t groups = s.capacity / s.done_group;
  s.counted = 1;
  s.head = view.oldest();
  s.ready_frames = static_cast<std::uint32_t>(c.resumable.size());
  s.first_count = static_cast<std::uint32_t>(handover_.done.size());
  for (std::uint32_t i = 0; i < groups; ++i)
    handover_.done.push_back(view.done_with(i * s.done_group));
}

void handovers::take_back_if_ended() {
  if (on_ && device_->has_handed_back(handover_)) take_back();
}

void handovers::take_back() {
  on_ = false;
  headway_.look_again();
  const handover& h = handover_;
  accounts_.handover_ended(h);
  for (const handover::ready_frame& f : h.ready) {
    channel_state& c = run_.table.by_id(h.channels[f.channel].id);
    c.resumable.push_back(f.ticket);
    run_.table.mark_active(c.level);
  }
  for (std::size_t i = 0; i < h.channels.size(); ++i) take_back_channel(i);
  for (const handover::left_batch& b : h.left) return_batch(b);
  if (h.why == handover_end::room) {
    levels_ahead_ = std::min(2 * levels_ahead_, most_levels_ahead);
  }
  if (h.batches != 0 || !h.left.empty()) {
    headway_.handover_ended(h.batches);
  } else {
    turns_of_host_ = turns_after_none;
  }
  for (const handover_channel& c : h.channels) run_.table.refresh(run_.table.by_id(c.id));
}

void handovers::take_back_channel(std::size_t i) {
  const handover_channel& now = handover_.channels[i];
  channel_state& c = run_.table.by_id(now.id);
  if (now.counted != 0) {
    run_.table.resume_counted(c, now, handover_.done.data() + now.first_count);
    return;
  }
  std::vector<run> taken;
  for (const handover::left_batch& b : handover_.left) {
    if (b.source == i) taken.insert(taken.end(), b.runs.begin(), b.runs.end());
    for (const auto& w : b.windows) {
      if (w.channel == i && w.reserved) taken.push_back(w.reserved);
    }
  }
  run_.table.resume(c, now, std::move(taken));
}

/// Makes a flight of a batch that the device left: it comes back as if the host had dispatched it.
void handovers::return_batch(const handover::left_batch& batch) {
  channel_state& source = run_.table.by_id(handover_.channels[batch.source].id);
  flight_record& f = flights_.make(source, ready_kind::fresh, headway_.alone());
  f.work.count = batch.count;
  f.work.run_count = static_cast<std::uint32_t>(batch.runs.size());
  std::copy(batch.runs.begin(), batch.runs.end(), f.work.runs);
  for (const auto& w : batch.windows) {
    const bool known = w.channel < handover_.channels.size();
    // What it may write is reserved already.
    f.add_output(known ? &run_.table.by_id(handover_.channels[w.channel].id) : nullptr, 0);
  }
  flights_.dispatched(f);
  accounts_.batch_dispatched(f);
  f.returned = true;
  f.work.times.unit = batch.slot;
  f.device_start = batch.start;
  f.device_end = batch.end;
  device_->return_batch(&f, batch);
}

}  // namespace channels::detail
