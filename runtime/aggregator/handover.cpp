#include <algorithm>  // max, min, all_of, any_of
#include <bit>        // bit_ceil

#include "runtime/aggregator/aggregator.hpp"
#include "runtime/aggregator/flight_record.hpp"

/// How the aggregator hands over to one on the device, and what it does with what that leaves.
namespace channels::detail {
namespace {

/// Levels below what is there for which channels are made before the device decides: more each time
/// that it comes back for want of them, so that it does so seldom.
constexpr std::uint32_t most_levels_ahead = 48;

/// Dispatches by the host when the device could do nothing with what it was given.
constexpr std::uint32_t turns_after_none = 8;

}  // namespace

/// True if the device decides, or is about to: what the host has in flight ends first.
bool aggregator::hand_over() {
  if (!on_device_ || turns_of_host_ != 0 || alone_ || pushes_left_ || !is_tidy()) return false;
  if (in_flight_ != 0) return true;
  // To come back for want of levels takes longer than to make them. Frames of the counted rule are
  // filled with ones when they are made: there it does not.
  if (std::all_of(model_.stacks.begin(), model_.stacks.end(),
                  [](const stack_model& s) { return s.control; })) {
    levels_ahead_ = most_levels_ahead;
  }
  make_ahead();
  if (!describe_channels()) {
    turns_of_host_ = turns_after_none;
    return false;
  }
  handover_.batches = handover_.cut_by_room = handover_.largest_batch = 0;
  handover_.decide_ns = handover_.idle_ns = 0;
  handover_.nodes.clear();
  handover_.left.clear();
  handover_.model = &model_;
  handover_.order = policy_.goes_by();
  handover_.most_in_batch = most_in_batch_;
  // The device finds those frames itself.
  for (const handover_channel& c : handover_.channels) table_->by_id(c.id).resumable.clear();
  if (timed_) handed_over_at_ = ticks();
  if (trace_ != nullptr) trace_->look(*table_, handed_over_at_);
  device_.hand_over(handover_);
  handed_over_ = true;
  ++in_flight_;
  ++statistics_.handovers;
  changed_ = false;
  return true;
}

/// Whether nothing waits for the host: no element or frame has been handed over one by one.
bool aggregator::is_tidy() const {
  if (restarts_.view.live() != 0) return false;
  for (std::uint32_t level = 0; level < table_->level_count(); ++level) {
    for (const channel_state* const c : table_->at(level)) {
      // Frames of the counted rule say themselves that they are ready.
      if (!c->waiting.empty() || !c->starved.empty() || !c->granted.empty() ||
          !c->suspended.empty() || (!c->resumable.empty() && model_.stacks[c->stack].control) ||
          c->ready.runs() > handover_channel::most_runs / 2) {
        return false;
      }
    }
  }
  return true;
}

/// Makes the channels that the device will want: as if everything that is ready, and what comes of
/// it, wrote as much as it may.
void aggregator::make_ahead() {
  const std::int64_t deepest = table_->deepest();
  const std::uint32_t end = static_cast<std::uint32_t>(deepest + 1) + levels_ahead_;
  std::vector<std::uint64_t> here(model_.stacks.size(), 0);
  std::vector<std::uint64_t> below(model_.stacks.size(), 0);
  for (std::uint32_t level = 0; level < end; ++level) {
    std::fill(below.begin(), below.end(), 0);
    for (std::uint32_t i = 0; i < model_.stacks.size(); ++i) {
      const stack_model& s = model_.stacks[i];
      if (!s.levels && level != 0) continue;
      const channel_state* const c = table_->find(i, level);
      const std::uint64_t pending = std::min<std::uint64_t>(
          here[i] + (c == nullptr ? 0 : c->ready.count()), std::max(s.capacity, 1U));
      // What continuations spawn besides, who knows: for them no more is made than there is.
      if (s.frames || s.consumer < 0 || pending == 0) continue;
      const node_model& node = model_.nodes[static_cast<std::size_t>(s.consumer)];
      const auto wanted = [&](const output_model& o) { return pending * std::max(o.bound, 1U); };
      // Beyond half of the memory the host makes what is really wanted, when it is.
      if (table_->pool().in_use() <= table_->pool().size() / 2) {
        table_->prepare_all(node, level, wanted);
      }
      for (const output_model& o : node.outputs) {
        channel_state* const to = table_->find(o.stack, table_->level_of(o, level));
        if (to != nullptr) to->asked = std::max(to->asked, 2 * std::bit_ceil(wanted(o)));
        if (o.step == 1) below[o.stack] += wanted(o);
      }
    }
    here.swap(below);
  }
}

/// Writes down what there is for the device. False if it is more than that keeps at hand.
bool aggregator::describe_channels() {
  handover_.channels.clear();
  handover_.done.clear();
  std::uint32_t first = ~std::uint32_t{0};
  std::uint32_t last = 0;
  for (std::uint32_t level = 0; level < table_->level_count(); ++level) {
    for (const channel_state* const c : table_->at(level)) {
      table_->reclaim(table_->by_id(c->bound.id));
      if (c->live == 0) continue;
      first = std::min(first, level);
      last = level;
    }
  }
  if (first > last) return false;  // nothing is left: the host ends the run
  const bool flat = std::any_of(model_.stacks.begin(), model_.stacks.end(),
                                [](const stack_model& s) { return !s.levels; });
  if (flat) first = 0;
  last = std::min(last + levels_ahead_, table_->level_count() - 1);
  for (std::uint32_t level = first; level <= last; ++level) {
    for (const channel_state* const c : table_->at(level)) {
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
      if (!model_.stacks[c->stack].control) describe_counted(*c, s);
    }
  }
  return handover_.channels.size() <= most_handover_channels &&
         (std::size_t{last} - first + 1) * model_.stacks.size() <= most_handover_places;
}

void aggregator::describe_counted(const channel_state& c, handover_channel& s) {
  const channel_view& view = c.bound.view;
  const std::uint32_t groups = s.capacity / s.done_group;
  s.counted = 1;
  s.head = view.oldest();
  s.ready_frames = static_cast<std::uint32_t>(c.resumable.size());
  s.first_count = static_cast<std::uint32_t>(handover_.done.size());
  for (std::uint32_t i = 0; i < groups; ++i)
    handover_.done.push_back(view.done_with(i * s.done_group));
}

void aggregator::take_back() {
  handed_over_ = false;
  --in_flight_;
  changed_ = true;
  const handover& r = handover_;
  enter_handover();
  for (const handover::ready_frame& f : r.ready) {
    channel_state& c = table_->by_id(r.channels[f.channel].id);
    c.resumable.push_back(f.ticket);
    table_->mark_active(c.level);
  }
  for (std::size_t i = 0; i < r.channels.size(); ++i) {
    if (r.channels[i].counted != 0) {
      table_->resume_counted(table_->by_id(r.channels[i].id), r.channels[i],
                             r.done.data() + r.channels[i].first_count);
      continue;
    }
    std::vector<run> taken;
    for (const handover::left_batch& b : r.left) {
      if (b.source == i) taken.insert(taken.end(), b.runs.begin(), b.runs.end());
      for (const auto& w : b.windows) {
        if (w.channel == i && w.reserved) taken.push_back(w.reserved);
      }
    }
    table_->resume(table_->by_id(r.channels[i].id), r.channels[i], std::move(taken));
  }
  for (const handover::left_batch& b : r.left) return_batch(b);
  if (r.why == handover_end::room) {
    levels_ahead_ = std::min(2 * levels_ahead_, most_levels_ahead);
  }
  if (r.batches != 0 || !r.left.empty()) {
    ++progress_;
    __atomic_fetch_add(&beats_, 1, __ATOMIC_RELAXED);
    reliefs_in_vain_ = 0;
    fruitless_ = 0;
  } else {
    turns_of_host_ = turns_after_none;
  }
  for (std::size_t i = 0; i < r.nodes.size(); ++i) {
    statistics_.batch_elements += r.nodes[i].elements;
    if (!model_.stacks[model_.nodes[i].stack].frames) tasks_ += r.nodes[i].elements;
    if (!timed_) continue;
    statistics_.nodes[i].batches += r.nodes[i].batches;
    statistics_.nodes[i].elements += r.nodes[i].elements;
  }
  statistics_.batches += r.batches;
  statistics_.cut_by_room += r.cut_by_room;
  statistics_.largest_batch = std::max(statistics_.largest_batch, r.largest_batch);
  statistics_.device_decide_ns += r.decide_ns;
  statistics_.device_idle_ns += r.idle_ns;
  for (const handover_channel& c : r.channels) table_->refresh(table_->by_id(c.id));
}

/// A batch that the device has left: it comes back from it as if the host had dispatched it.
void aggregator::return_batch(const handover::left_batch& batch) {
  channel_state& source = table_->by_id(handover_.channels[batch.source].id);
  flight_record& f = begin_flight(source, kind::fresh);
  f.work.count = batch.count;
  f.work.run_count = static_cast<std::uint32_t>(batch.runs.size());
  std::copy(batch.runs.begin(), batch.runs.end(), f.work.runs);
  for (const auto& w : batch.windows) {
    const bool known = w.channel < handover_.channels.size();
    // What it may write is reserved already.
    add_output(f, known ? &table_->by_id(handover_.channels[w.channel].id) : nullptr, 0);
  }
  count_flight(f);
  f.returned = true;
  f.work.times.unit = batch.slot;
  f.device_start = batch.start;
  f.device_end = batch.end;
  device_.return_batch(&f, batch);
}

}  // namespace channels::detail
