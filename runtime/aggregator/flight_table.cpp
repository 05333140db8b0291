#include "runtime/aggregator/flight_table.hpp"

namespace channels::detail {

flight_record& flight_table::make(channel_state& source, ready_kind what, bool alone) {
  if (unused_.empty()) {
    all_.push_back(std::make_unique<flight_record>());
    all_.back()->number = static_cast<std::uint32_t>(all_.size() - 1);
    unused_.push_back(all_.back().get());
  }
  flight_record& f = *unused_.back();
  unused_.pop_back();
  f.source = &source;
  f.what = what;
  f.node = &run_.node_of(source);
  f.frames = source.frames;
  f.alone = alone;
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

void flight_table::put_back(const flight_record& f) {
  channel_state& c = *f.source;
  if (f.what != ready_kind::fresh) {
    auto& list = f.what == ready_kind::resumable ? c.resumable : c.waiting;
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
      if (c.frames) c.eligible += r.count;
    }
  }
  run_.table.mark_active(c.level);
}

void flight_table::close(flight_record& f) {
  channel_state& source = *f.source;
  for (const written_run& w : f.written) {
    channel_state& to = *f.outputs[w.output];
    if (run_.model.stacks[to.stack].control) run_.table.enqueue(to, w.elements);
  }
  f.written.clear();
  for (std::size_t i = 0; i < f.outputs.size(); ++i) {
    channel_state* const c = f.outputs[i];
    if (c == nullptr) continue;
    // One by one: a channel that is an output twice must not be destroyed at the first refresh.
    c->promised -= f.promises[i];
    if (c != &source) run_.table.refresh(*c);
  }
  run_.table.refresh(source);
  unused_.push_back(&f);
}

}  // namespace channels::detail
