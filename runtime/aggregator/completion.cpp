#include "runtime/aggregator/aggregator.hpp"
#include "runtime/aggregator/flight_record.hpp"

/// What the aggregator does when a batch has ended: takes back what was not consumed, and finds out
/// what can run now that could not before.
namespace channels::detail {

void aggregator::complete(flight_record& f) {
  channel_state& source = *f.source;
  changed_ = true;
  --in_flight_;
  lanes_in_flight_ -= f.work.count;
  --source.in_flight;
  --table_->in_flight(source.level);
  if (timed_) count_batch(f);
  if (!model_.stacks[source.stack].frames) tasks_ += f.work.consumed - f.work.restarted;
  const bool left_over = f.work.consumed != f.work.count;
  if (left_over) put_back(f);
  // Nothing changed if nobody was consumed, or all went back to waiting without having spawned.
  // What they reserved and gave back, as their share of several channels, is no change.
  const bool stayed =
      f.what == kind::waiting && f.work.restarted == f.work.consumed && f.work.spawned == 0;
  const bool changed = f.work.consumed != 0 && !stayed;
  fruitless_ = changed ? 0 : fruitless_ + 1;
  if (changed) reliefs_in_vain_ = 0;
  alone_ &= !changed;
  if (changed || fruitless_ < fruitless_before_refused_) {
    ++progress_;
    __atomic_fetch_add(&beats_, 1, __ATOMIC_RELAXED);
  } else {
    source.refused_at[static_cast<std::size_t>(f.what)] = progress_;
  }
  for (const written_run& w : f.written) {
    channel_state& to = *f.outputs[w.output];
    if (model_.stacks[to.stack].control) table_->enqueue(to, w.elements);
  }
  f.written.clear();
  for (std::size_t i = 0; i < f.outputs.size(); ++i) {
    channel_state* const c = f.outputs[i];
    if (c == nullptr) continue;
    c->promised -= f.promises[i];  // only now: one that is an output twice must outlive the first
    if (c != &source) table_->refresh(*c);
  }
  table_->refresh(source);
  free_flights_.push_back(&f);
  count_time(phase::collect);
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
  bool any = false;
  while (const run r = restarts_.view.peek(restarts_position_)) {
    any = true;
    ++restarts_position_;
    changed_ = true;
    for (std::uint32_t i = 0; i < r.count; ++i) {
      const auto context = layout_of<restart_context>::load(
          restarts_.view.data(), restarts_capacity_, restarts_.view.slot(r.first + i));
      channel_state& c = table_->by_id(context.channel);
      switch (context.reason) {
        case restart_reason::no_room:
          c.waiting.push_back(context.ticket);
          ++yields_;
          break;
        case restart_reason::suspended: c.suspended.push_back(context.ticket); break;
        case restart_reason::ready: c.resumable.push_back(context.ticket); break;
        case restart_reason::no_memory:
        case restart_reason::no_memory_granted:
          (context.reason == restart_reason::no_memory ? c.starved : c.granted)
              .push_back(context.ticket);
          ++starved_;
          ++yields_;
          break;
      }
      table_->mark_active(c.level);
    }
    restarts_.view.tfree(r);
  }
  restarts_.view.reclaim();
  if (any) count_time(phase::restart);
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

/// Frames that found no memory may ask again.
void aggregator::release_starved() {
  releases_seen_ = task_memory_->releases();
  for (std::uint32_t level = 0; level < table_->level_count(); ++level) {
    for (channel_state* const c : table_->at(level)) {
      for (auto* const list : {&c->starved, &c->granted}) {
        if (list->empty()) continue;
        c->waiting.insert(c->waiting.end(), list->begin(), list->end());
        list->clear();
        table_->mark_active(level);
      }
    }
  }
  starved_ = 0;
  changed_ = true;
  ++progress_;
}

/// Of the frames that found no memory, and nothing else can run, one goes on with what is kept: of
/// the deepest level, whose tasks alone can give some back, and there one that has been let before.
/// So there is at most one of a level, for what it spawns is deeper. True if there is such a frame.
bool aggregator::grant_memory() {
  if (!task_memory_->grants()) return false;
  for (std::uint32_t level = table_->level_count(); level-- > 0;) {
    for (const auto list : {&channel_state::granted, &channel_state::starved}) {
      for (channel_state* const c : table_->at(level)) {
        if ((c->*list).empty()) continue;
        c->waiting.push_back((c->*list).back());
        (c->*list).pop_back();
        --starved_;
        granting_ = c;
        table_->mark_active(level);
        changed_ = true;
        granted_at_ = starved_tried_ = ++progress_;
        return true;
      }
    }
  }
  return false;
}

}  // namespace channels::detail
