#pragma once

#include "channels/gpu/device_aggregator/neighbour.hpp"

namespace channels::gpu::detail {

/// Makes batches for the device aggregator: takes the elements that a batch consumes, and reserves
/// windows where it may write. It has no state of its own: what it makes is in the ledger.
class batch_builder {
 public:
  CHANNELS_GPU_INLINE batch_builder(const device_aggregator_parameters& p, ledger& l)
      : p_(p), l_(l) {}

  /// A batch that is going to be dispatched.
  struct plan {
    std::uint32_t slot;
    std::uint32_t channel;
    std::uint32_t room;       ///< elements
    std::uint32_t number;     ///< of its announcement, or of the neighbour's batches
    neighbour_batch* beside;  ///< where it is made ready for the neighbour; null: for work-groups
  };

  /// One lane: notes what the graph says of a channel's elements.
  CHANNELS_GPU_INLINE void find_targets(std::uint32_t channel) {
    ledger_channel& c = l_.channels[channel];
    const device_stack& s = l_.graph.stacks[c.stack];
    const device_node& n = l_.graph.nodes[s.consumer];
    c.consumer = s.consumer;
    c.frames = s.frames ? 1 : 0;
    c.first_output = static_cast<std::uint16_t>(n.first_output);
    c.outputs = static_cast<std::uint16_t>(n.outputs);
    for (std::uint32_t i = 0; i < ledger_channel::most_targets && i < n.outputs; ++i)
      c.target[i] = find_target(l_.graph.outputs[n.first_output + i], c.level);
  }
  /// Any lane: the index in `ledger::channel_at` of the channel of `stack` at `level`.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t place(std::uint32_t stack,
                                                        std::uint32_t level) const {
    return (level - p_.base_level) * l_.graph.stack_count + stack;
  }
  /// Any lane: the channel to which the node that consumes `c` writes its `i`th output, `o`.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t target(const ledger_channel& c, std::uint32_t i,
                                                         const device_output& o) const {
    return i < ledger_channel::most_targets ? c.target[i] : find_target(o, c.level);
  }

  // Lane 0.

  /// Takes elements, and reserves what they may write.
  CHANNELS_GPU_INLINE void reserve(const plan& p) {
    ledger_flight& f = l_.flights[p.slot];
    ledger_channel& c = l_.channels[p.channel];
    const std::uint32_t in_flight = c.in_flight;
    const bool counted = c.counted != 0;
    const bool frames = c.frames != 0;
    std::uint32_t runs = 0;
    std::uint32_t before = 0;
    const auto put = [&](std::uint32_t i, channels::run r) {
      put_run(p, i, before, r);
      runs = i + 1;
      before += r.count;
    };
    const std::uint32_t count = counted ? c.look_through(announcement::most_runs, put)
                                        : c.take(announcement::most_runs, p.room, put);
    if (frames) c.eligible = counted ? 0 : c.eligible - count;
    c.in_flight = in_flight + 1;
    c.going += runs;
    f.message[batch_head::runs] = runs;
    if (p.beside != nullptr) p.beside->batch.run_count = runs;
    set_count(p, count);
    open(p, counted ? p.room : count);
  }
  /// The same for elements that are being written, as many as `from` has room for.
  CHANNELS_GPU_INLINE void reserve_ahead(const plan& p, const channels::run& from) {
    put_run(p, 0, 0, from);
    l_.flights[p.slot].message[batch_head::runs] = 1;
    p.beside->batch.run_count = 1;
    open(p, from.count);
  }
  /// The batch reserved by `reserve_ahead` has `count` elements and is dispatched.
  CHANNELS_GPU_INLINE void go_ahead(const plan& p, std::uint32_t count) {
    ledger_flight& f = l_.flights[p.slot];
    f.set_run(0, {f.run(0).first, count});
    set_count(p, count);
    ++l_.channels[p.channel].in_flight;
    ++l_.channels[p.channel].going;
  }
  /// The batch reserved last is not dispatched: its windows go back.
  CHANNELS_GPU_INLINE void give_back(const plan& p) {
    const ledger_flight& f = l_.flights[p.slot];
    for (std::uint32_t i = f.outputs; i-- != 0;) {
      const numbered_window w = f.window(i);
      if (w.channel == numbered_window::no_channel || w.count == 0) continue;
      l_.channels[w.channel].give_back(w.first, 0, w.count);
      --l_.channels[w.channel].windows;
    }
  }

 private:
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint16_t find_target(const device_output& o,
                                                              std::uint32_t level) const {
    const std::uint32_t at = place(o.stack, l_.graph.stacks[o.stack].levels ? level + o.step : 0);
    return at < most_handover_places ? l_.channel_at[at] : ledger::nowhere;
  }

  CHANNELS_GPU_INLINE void put_run(const plan& p, std::uint32_t i, std::uint32_t before,
                                   const channels::run& r) {
    l_.flights[p.slot].set_run(i, r);
    if (p.beside == nullptr) return;
    p.beside->batch.first[i] = r.first;
    p.beside->batch.before[i] = before;
  }
  CHANNELS_GPU_INLINE void set_count(const plan& p, std::uint32_t count) {
    l_.flights[p.slot].message[batch_head::elements] = count;
    if (p.beside != nullptr) p.beside->batch.count = count;
  }
  /// A window in each channel that `elements` may write to.
  CHANNELS_GPU_INLINE void open(const plan& p, std::uint32_t elements) {
    ledger_flight& f = l_.flights[p.slot];
    const ledger_channel& c = l_.channels[p.channel];
    const std::uint32_t level = c.level;
    const std::uint32_t consumer = c.consumer;
    const std::uint32_t outputs = c.outputs;
    const std::uint32_t first_output = c.first_output;
    f.number = p.number;
    f.outputs = outputs;
    std::uint32_t* const m = f.message;
    m[batch_head::node] = consumer;
    m[batch_head::level] = level;
    m[announcement::source] = p.channel;
    m[batch_head::slot] = p.slot;
    m[announcement::budget] = p.room;
    for (std::uint32_t i = 0; i < outputs; ++i) {
      const device_output o = l_.graph.outputs[first_output + i];
      numbered_window w{numbered_window::no_channel, 0, 0};
      const std::uint32_t to = o.bound == 0 ? std::uint32_t{ledger::nowhere} : target(c, i, o);
      if (to != ledger::nowhere) {
        ledger_channel& t = l_.channels[to];
        const std::uint32_t room = t.free();
        const std::uint32_t wanted = elements * o.bound;
        w.channel = to;
        w.count = wanted < room ? wanted : room;
        w.first = t.reserve(w.count);
        t.windows += w.count != 0 ? 1 : 0;
        if (l_.used <= to) l_.used = to + 1;
      }
      f.set_window(i, w);
      if (p.beside == nullptr) continue;
      if (to == ledger::nowhere) {
        p.beside->batch.outputs[i] = {};
      } else {
        set_output(p.beside->batch, i, l_.addresses[to], w.first, w.count);
      }
    }
    if (p.beside == nullptr) return;
    batch_parameters& b = p.beside->batch;
    const device_node& node = l_.graph.nodes[consumer];
    p.beside->run = node.run;
    p.beside->closure = node.closure;
    set_source(b, l_.addresses[p.channel]);
    set_slot(p_, b, p.slot, p.number);
    b.count_in(l_.reports[p.slot].counts);
    b.node = consumer;
    b.level = level;
    b.budget = p.room;
  }

  const device_aggregator_parameters& p_;
  ledger& l_;
};

}  // namespace channels::gpu::detail
