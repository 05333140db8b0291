#pragma once

#include "channels/gpu/device_aggregator/batches.hpp"
#include "channels/gpu/device_aggregator/neighbour.hpp"
#include "channels/gpu/device_aggregator/ready_frames.hpp"

/// The aggregator on the device: one wavefront, which decides as the host's does, by the same
/// orders (scheduling.hpp), as long as nothing out of the ordinary happens. Then it lets what is in
/// flight end, and leaves everything to the host.
namespace channels::gpu::detail {

/// All lanes call its functions together; lane 0 keeps the ledger.
class device_aggregator {
 public:
  CHANNELS_GPU_INLINE device_aggregator(const device_aggregator_parameters& p, ledger& l,
                                        neighbour_memory& beside, std::uint32_t workers)
      : p_(p),
        l_(l),
        frames_(p, l),
        flights_(p, l),
        neighbour_(beside),
        workers_(workers),
        number_(p.first_number),
        notes_(p.log) {}

  CHANNELS_GPU_INLINE void run() {
    begin();
    std::uint32_t looks = 0;
    since_ = clock_ns();
    const std::uint64_t started = since_;
    for (;;) {
      const bool news = collect();
      if (news) book(idle_ns_);
      if (why_ == handover_end::none && (news || in_flight_ == 0)) {
        if (!is_ahead_) decide();
        look_ahead();
      }
      if (in_flight_ == 0) {
        if (why_ == handover_end::none) why_ = empty() ? handover_end::done : handover_end::room;
        break;
      }
      if (news) {
        const std::uint64_t from = since_;
        book(decide_ns_);
        if (lane_index() == 0 && notes_.wanted()) notes_.decision(from, since_);
        beat();
      }
      if (++looks % looks_between == 0) look_at_host();
      relax();
    }
    if (lane_index() == 0) p_.end->started = started;
    leave();
  }

 private:
  /// The host's word is microseconds away: the aggregator looks at it every so many times.
  static constexpr std::uint32_t looks_between = 1024;

  /// Of flights, in a register.
  struct flight_set {
    std::uint32_t bits = 0;

    [[nodiscard]] CHANNELS_GPU_INLINE bool has(std::uint32_t slot) const {
      return (bits >> slot & 1U) != 0;
    }
    CHANNELS_GPU_INLINE void add(std::uint32_t slot) { bits |= 1U << slot; }
  };
  /// What to dispatch.
  struct choice {
    channels::candidate_rank rank;
    std::uint32_t room = 0;
    std::uint32_t channel = 0;
    bool cut = false;    ///< there is less room than elements
    bool wants = false;  ///< the host could make more
  };

  CHANNELS_GPU_INLINE void begin() {
    copy_words(&l_.graph, p_.graph, sizeof(kept_graph) / sizeof(std::uint32_t));
    l_.closures.copy(p_.closures);
    fence_in_wave();
    for (std::uint32_t i = lane_index(); i < most_kept_nodes; i += wave_width) {
      const void*& closure = l_.graph.nodes[i].closure;
      closure = l_.closures.of(p_.closures, closure);
    }
    if (lane_index() == 0) beats_ = p_.end->beats;
    for (std::uint32_t i = lane_index(); i < most_handover_places; i += wave_width)
      l_.places[i] = ledger::nowhere;
    for (std::uint32_t i = lane_index(); i < most_kept_nodes; i += wave_width)
      l_.node_batches[i] = l_.node_elements[i] = 0;
    for (std::uint32_t i = lane_index(); i < p_.channel_count; i += wave_width) {
      const handover_channel& c = p_.channels[i];
      l_.channels[i].begin(c);
      std::uint32_t* const done = c.counted != 0 ? p_.done + c.first_count : nullptr;
      // Released with the first batch.
      p_.places[i] = {c.data, c.capacity - 1, c.id, done, c.done_group};
      l_.addresses[i] = p_.places[i];
      if (c.counted != 0) store<order::relaxed>(&p_.tallies[c.id], c.ready_frames);
    }
    fence_in_wave();
    std::uint32_t used = 0;
    for (std::uint32_t i = lane_index(); i < p_.channel_count; i += wave_width)
      used = l_.channels[i].live() != 0 ? i + 1 : used;
    used = most_of_wave(used);
    if (lane_index() == 0) l_.used = used;
    for (std::uint32_t i = 0; i < l_.graph.stack_count; ++i)
      levelized_ |= p_.tallies == nullptr && l_.graph.stacks[i].frames;
    frames_.read_tallies(arrivals_);
    for (std::uint32_t i = lane_index(); i < p_.channel_count; i += wave_width) {
      const ledger_channel& c = l_.channels[i];
      if (c.current != 0) {
        l_.places[flights_.place(c.stack, c.level)] = static_cast<std::uint16_t>(i);
      }
    }
    fence_in_wave();
    for (std::uint32_t i = lane_index(); i < p_.channel_count; i += wave_width)
      flights_.find_ways(i);
    fence_in_wave();
  }

  // What has ended.

  /// True if any batch has.
  CHANNELS_GPU_INLINE bool collect() {
    is_ahead_ = false;
    flight_set ended;
    if (neighbour_.is_busy()) {
      // Who waits for nobody else has nothing else to look at.
      bool has_ended = neighbour_.has_ended();
      for (std::uint32_t looks = 1; announced_.bits == 0 && !has_ended; ++looks) {
        if (looks % looks_between == 0) look_at_host();
        relax();
        has_ended = neighbour_.has_ended();
      }
      if (has_ended) {
        ended.bits = neighbour_.take();
        if (has_plan_) go_ahead(first(ended.bits));
      }
    }
    if (announced_.bits != 0) ended.bits |= read_reports().bits;
    if (ended.bits == 0) return false;
    fence_in_wave();
    CHANNELS_GPU_NO_UNROLL
    for (std::uint32_t rest = ended.bits; rest != 0; rest &= rest - 1) end(first(rest));
    frames_.read_tallies(arrivals_);
    return true;
  }
  /// Of batches that work-groups run: those that have ended.
  CHANNELS_GPU_INLINE flight_set read_reports() {
    line_copy reports[device_batches_in_flight];
    CHANNELS_GPU_UNROLL
    for (std::uint32_t slot = 0; slot < device_batches_in_flight; ++slot) {
      if (announced_.has(slot)) reports[slot].read(p_.reports[slot]);
    }
    flight_set ended;
    CHANNELS_GPU_UNROLL
    for (std::uint32_t slot = 0; slot < device_batches_in_flight; ++slot) {
      if (!announced_.has(slot) || !reports[slot].is_message(l_.flights[slot].number)) continue;
      ended.add(slot);
      reports[slot].copy_to(l_.reports[slot].words());
    }
    announced_.bits &= ~ended.bits;
    return ended;
  }
  CHANNELS_GPU_INLINE void end(std::uint32_t slot) {
    ledger_flight& f = l_.flights[slot];
    if (lane_index() == 0 && notes_.wanted()) f.end = clock_ns();
    const bool ordinary =
        l_.reports[slot].counts.remarks == 0 &&
        (fits_.has(slot) || of_lane(lane_index() == 0 && fits(f) ? 1U : 0U, 0) != 0);
    fits_ = {};
    if (ordinary) {
      if (lane_index() == 0) take(slot);
      fence_in_wave();
      frames_.free_after(l_.flights[slot]);
    } else {
      set_aside(slot);
      left_.add(slot);
      why_ = handover_end::remarks;
    }
    --in_flight_;
    fence_in_wave();
  }
  /// Whether the channel can keep so many runs and pieces more.
  [[nodiscard]] CHANNELS_GPU_INLINE bool has_place(std::uint32_t channel, std::uint32_t runs,
                                                   std::uint32_t freed) const {
    const ledger_channel& c = l_.channels[channel];
    return c.runs + runs <= handover_channel::most_runs &&
           c.freed + freed <= ledger_channel::most_pieces;
  }
  /// Whether the channels can keep what the batch leaves.
  [[nodiscard]] CHANNELS_GPU_INLINE bool fits(const ledger_flight& f) const {
    const auto windows_to = [&f](std::uint32_t channel) {
      std::uint32_t windows = 0;
      for (std::uint32_t i = 0; i < f.outputs; ++i) windows += f.window(i).channel == channel;
      return windows;
    };
    const std::uint32_t source = f.source();
    const std::uint32_t run_count = f.run_count();
    for (std::uint32_t i = 0; i < f.outputs; ++i) {
      const std::uint32_t to = f.window(i).channel;
      if (to == announcement::no_channel) continue;
      // Mostly there is plenty.
      if (has_place(to, f.outputs, f.outputs + run_count)) continue;
      const std::uint32_t windows = windows_to(to);
      if (!has_place(to, windows, windows + (to == source ? run_count : 0))) return false;
    }
    return has_place(source, 0, run_count);
  }

  /// Lane 0: what was consumed is free, what was written is ready.
  CHANNELS_GPU_INLINE void take(std::uint32_t slot) {
    ledger_flight& f = l_.flights[slot];
    const std::uint32_t node = f.node();
    const std::uint32_t outputs = f.outputs;
    std::uint32_t consumed = f.count();
    ledger_channel& source = l_.channels[f.source()];
    const std::uint32_t in_flight = source.in_flight;
    level_ = source.level;
    const std::uint64_t batches_of_node = l_.node_batches[node];
    const std::uint64_t elements_of_node = l_.node_elements[node];
    if (source.counted) {
      const std::uint32_t frames = l_.reports[slot].counts.frames;
      consumed = frames < f.budget() ? frames : f.budget();
      source.resumed += consumed;
    } else {
      const std::uint32_t run_count = f.run_count();
      for (std::uint32_t i = 0; i < run_count; ++i) {
        const channels::run r = f.run(i);
        source.free_piece(r.first, r.count);
      }
    }
    for (std::uint32_t i = 0; i < outputs; ++i) {
      const ledger_flight::window_words w = f.window(i);
      const std::uint32_t all = l_.reports[slot].counts.taken[i];
      f.dead[i] = 0;
      if (w.channel == announcement::no_channel || w.count == 0) continue;
      ledger_channel& to = l_.channels[w.channel];
      --to.windows;
      const std::uint32_t taken = all < w.count ? all : w.count;
      if (to.counted) {
        f.dead[i] = to.keep_window(w.first, taken, w.count);
        if (f.dead[i] != 0 || l_.reports[slot].counts.frames != 0) to.freed = 1;
        continue;
      }
      // Else they are under way already.
      if (!is_ahead_ || i != plan_output_) to.enqueue(w.first, taken, ++arrivals_);
      if (taken != w.count) to.give_back(w.first, taken, w.count);
    }
    source.in_flight = in_flight - 1;
    source.going -= f.run_count();
    l_.node_batches[node] = batches_of_node + 1;
    l_.node_elements[node] = elements_of_node + consumed;
    ++batches_;
    most_ = most_ < consumed ? consumed : most_;
    if (notes_.wanted()) note(slot, consumed);
  }

  /// Lane 0: the batch, and what the channels hold that it read and wrote.
  CHANNELS_GPU_INLINE void note(std::uint32_t slot, std::uint32_t consumed) {
    const ledger_flight& f = l_.flights[slot];
    const std::uint32_t source = f.source();
    notes_.batch({f.start, f.end, f.node(), l_.channels[source].level, consumed, slot});
    notes_.fill({f.end, source, l_.channels[source].live()});
    for (std::uint32_t i = 0; i < f.outputs; ++i) {
      const std::uint32_t to = f.window(i).channel;
      if (to != announcement::no_channel) notes_.fill({f.end, to, l_.channels[to].live()});
    }
  }

  /// Hands a batch's report on to the host.
  CHANNELS_GPU_INLINE void set_aside(std::uint32_t slot) {
    batch_report& r = *p_.near_reports[slot];
    const ledger_flight& f = l_.flights[slot];
    for (std::uint32_t i = lane_index(); i < most_outputs; i += wave_width)
      r.taken[i] = l_.reports[slot].counts.taken[i];
    if (lane_index() == 0) {
      r.remarks = l_.reports[slot].counts.remarks;
      const std::uint32_t frames = l_.reports[slot].counts.frames;
      r.frames = frames < f.budget() ? frames : f.budget();
      r.released = 0;
    }
  }

  // What to do next.

  CHANNELS_GPU_INLINE void decide() {
    // What is dispatched meanwhile does not make frames eligible.
    if (levelized_) release_frames();
    while (in_flight_ < device_batches_in_flight && may_announce()) {
      const choice best = choose();
      if (best.room == 0) {
        if (wanting_ && in_flight_ == 0) why_ = handover_end::room;
        return;
      }
      if (best.cut && best.wants) {
        why_ = handover_end::room;
        return;
      }
      // While the device is busy a small batch can wait: it may have grown when that is done.
      if (in_flight_ >= 1 && best.room < p_.most_in_batch / 16) return;
      dispatch(best);
    }
  }

  /// Whether the next announcement takes the place of one that all have read.
  [[nodiscard]] CHANNELS_GPU_INLINE bool may_announce() const {
    CHANNELS_GPU_NO_UNROLL
    for (std::uint32_t rest = announced_.bits; rest != 0; rest &= rest - 1) {
      if (number_ - l_.flights[first(rest)].number >= announcement_ring) return false;
    }
    return true;
  }

  /// The levelized rule: see `aggregator::release_frames`.
  CHANNELS_GPU_INLINE void release_frames() {
    std::uint32_t deepest = 0;  // level + 1, and whether it is at work
    for (std::uint32_t i = lane_index(); i < l_.used; i += wave_width) {
      const ledger_channel& c = l_.channels[i];
      const std::uint32_t at = 2 * (c.level + 1) + (c.in_flight != 0 ? 1 : 0);
      if (at > deepest && (c.head != c.tail || c.in_flight != 0)) deepest = at;
    }
    deepest = most_of_wave(deepest);
    if (deepest == 0 || deepest % 2 != 0) return;
    for (std::uint32_t i = lane_index(); i < l_.used; i += wave_width) {
      ledger_channel& c = l_.channels[i];
      if (2 * (c.level + 1) == deepest && l_.graph.stacks[c.stack].frames && !c.counted)
        c.eligible = c.ready;
    }
    fence_in_wave();
  }

  /// The best that can be dispatched; with no room if there is nothing.
  CHANNELS_GPU_INLINE choice choose() {
    choice best;
    bool wants = false;
    for (std::uint32_t i = lane_index(); i < l_.used; i += wave_width) {
      const choice c = consider(i);
      wants |= c.wants;
      if (c.room != 0 && (best.room == 0 || c.rank.is_above(best.rank))) best = c;
    }
    wanting_ = ballot(wants) != 0;
    const bool has_any = best.room != 0;
    const lane_mask with_any = ballot(has_any);
    if (with_any == 0) return {};
    unsigned from = first(with_any);
    if (with_any != lane_mask{1} << from) {
      const std::uint32_t high = most_of_wave(has_any ? best.rank.high : 0);
      const bool is_high = has_any && best.rank.high == high;
      const std::uint32_t low = most_of_wave(is_high ? best.rank.low : 0);
      from = first(ballot(is_high && best.rank.low == low));
    }
    const std::uint32_t flags = of_lane((best.cut ? 1U : 0U) | (best.wants ? 2U : 0U), from);
    choice of_all;
    of_all.room = of_lane(best.room, from);
    of_all.channel = of_lane(best.channel, from);
    of_all.cut = (flags & 1U) != 0;
    of_all.wants = (flags & 2U) != 0;
    return of_all;
  }

  [[nodiscard]] CHANNELS_GPU_INLINE choice consider(std::uint32_t channel) const {
    const ledger_channel& c = l_.channels[channel];
    choice x;
    const bool frames = c.frames != 0;
    const std::uint32_t waiting = frames ? c.eligible : c.ready;
    if (waiting == 0) return x;
    const std::uint32_t outputs = c.outputs;
    const std::uint32_t first_output = c.first_output;
    // What is in flight brings pieces together, or the host does when there is nothing left.
    const std::uint32_t runs = c.runs < announcement::most_runs ? c.runs : announcement::most_runs;
    if (c.counted == 0 && !c.has_place_to_take(runs)) return x;
    const std::uint32_t ready = waiting < p_.most_in_batch ? waiting : p_.most_in_batch;
    std::uint32_t room = ready;
    std::uint32_t all = 1;
    for (std::uint32_t i = 0; i < outputs; ++i) {
      const kept_output o = l_.graph.outputs[first_output + i];
      const std::uint32_t to = flights_.target(c, i, o);
      if (o.bound == 0) continue;
      all += o.bound;
      if (to == ledger::nowhere) {
        room = 0;
        x.wants = !frames;
        continue;
      }
      const ledger_channel& t = l_.channels[to];
      if (t.counted == 0 && !t.has_place_for_window()) return {};
      // Mostly there is plenty: a division takes its time.
      const std::uint32_t free = t.free();
      if (std::uint64_t{ready} * o.bound <= free) continue;
      const std::uint32_t fit = free / o.bound;
      room = fit < room ? fit : room;
      const std::uint64_t wanted = std::uint64_t{c.ready} * o.bound;
      x.wants |= !frames && t.capacity < wanted && t.asked < wanted;
    }
    x.cut = room < ready;
    // A continuation mostly spawns nothing more; it yields if it finds no room.
    if (room == 0 && frames) room = ready < wave_width ? ready : wave_width;
    if (std::uint64_t{room} * all > p_.most_written) room = p_.most_written / all;
    // A policy sees a lack of memory; a channel that can grow and the limit above are none.
    const std::uint32_t wanted_room = x.cut && !x.wants ? ready : room;
    x.rank = rank_by(p_.order, {c.level, wanted_room, room, c.arrival, frames});
    x.room = room;
    x.channel = channel;
    return x;
  }

  CHANNELS_GPU_INLINE void dispatch(const choice& best) {
    // Of groups that wait those that ran a batch last: their caches know its code.
    if (in_flight_ == 0) next_group_ = 0;
    const std::uint32_t slot = free_slot();
    const ledger_channel& source = l_.channels[best.channel];
    const std::uint32_t elements = source.counted != 0 ? source.live() : best.room;
    const bool is_small = elements <= wave_width && !neighbour_.is_busy();
    if (is_small) l_.reports[slot].clear();
    fence_in_wave();
    if (lane_index() == 0) {
      if (is_small) {
        flights_.reserve(
            {slot, best.channel, best.room, neighbour_.next_number(), &neighbour_.next()});
      } else {
        flights_.reserve({slot, best.channel, best.room, number_, nullptr});
      }
      if (notes_.wanted()) l_.flights[slot].start = clock_ns();
    }
    if (is_small) {
      neighbour_.ask(slot);
    } else {
      announced_.add(slot);
      fence_in_wave();
      announce(l_.flights[slot]);
    }
    ++in_flight_;
    cut_ += best.cut ? 1 : 0;
    fence_in_wave();
  }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t free_slot() const {
    return first(~(announced_.bits | left_.bits | neighbour_.flights()));
  }
  // Ahead.

  /// What there is time for while a batch runs, if it is the only one: nobody else changes it.
  CHANNELS_GPU_INLINE void look_ahead() {
    fits_ = {};
    if (in_flight_ != 1) return;
    const std::uint32_t slot = first(announced_.bits | neighbour_.flights());
    const ledger_flight& f = l_.flights[slot];
    const std::uint32_t outputs = f.outputs;
    const std::uint32_t run_count = f.run_count();
    if (outputs > wave_width) return;
    bool fits = has_place(f.source(), 0, run_count);
    bool is_way = false;
    bool is_frames = false;
    if (lane_index() < outputs) {
      const ledger_flight::window_words w = f.window(lane_index());
      if (w.channel != announcement::no_channel) {
        is_frames = l_.channels[w.channel].frames != 0;
        is_way = w.count != 0 && !is_frames;
        fits &= has_place(w.channel, outputs, outputs + run_count);  // more than it leaves
      }
    }
    const lane_mask ways = ballot(is_way);
    const bool writes_frames = ballot(is_frames) != 0;
    if (ballot(!fits) != 0) return;
    fits_.add(slot);
    if (neighbour_.is_busy() && count(ways) == 1) plan_ahead(f, first(ways), writes_frames);
  }
  /// While the neighbour runs `f`, makes ready what comes next, if it is plain which batch that
  /// will be, whatever the policy: of what `f` writes to `output`, if nothing else can be
  /// dispatched then. So the neighbour has it at once.
  CHANNELS_GPU_INLINE void plan_ahead(const ledger_flight& f, std::uint32_t output,
                                      bool writes_frames) {
    if (p_.tallies != nullptr) return;
    const ledger_flight::window_words w = f.window(output);
    const ledger_channel& next = l_.channels[w.channel];
    if (w.count > wave_width || next.outputs > wave_width) return;
    // Frames become eligible where nothing is deeper.
    bool other = writes_frames && next.level <= f.level();
    for (std::uint32_t i = lane_index(); i < l_.used; i += wave_width) {
      const ledger_channel& c = l_.channels[i];
      other |= c.eligible != 0 || (c.ready != 0 && (c.frames == 0 || c.level >= next.level));
    }
    // Nor may it have to be cut.
    std::uint32_t bound = 0;
    if (lane_index() < next.outputs) {
      const kept_output o = l_.graph.outputs[next.first_output + lane_index()];
      const std::uint32_t to = flights_.target(next, lane_index(), o);
      bound = o.bound;
      other |= bound != 0 &&
               (to == ledger::nowhere || std::uint64_t{w.count} * bound > l_.channels[to].free());
    }
    const std::uint64_t written = std::uint64_t{w.count} * (1 + total_of_wave(bound));
    other |= written > p_.most_written;
    if (ballot(other) != 0) return;
    plan_ = {free_slot(), w.channel, w.count, neighbour_.next_number(), &neighbour_.next()};
    plan_output_ = output;
    has_plan_ = true;
    l_.reports[plan_.slot].clear();
    fence_in_wave();
    if (lane_index() == 0) flights_.reserve_ahead(plan_, {w.first, w.count});
    fence_in_wave();
  }
  /// The batch of slot `ended` has ended: begins the next one, if it is as was planned.
  CHANNELS_GPU_INLINE void go_ahead(std::uint32_t ended) {
    const batch_counters& counts = l_.reports[ended].counts;
    const std::uint32_t elements = counts.taken[plan_output_];
    has_plan_ = false;
    is_ahead_ = why_ == handover_end::none && counts.remarks == 0 && elements != 0 &&
                elements <= plan_.room;
    if (lane_index() == 0) {
      if (is_ahead_) {
        flights_.go_ahead(plan_, elements);
        if (notes_.wanted()) l_.flights[plan_.slot].start = clock_ns();
      } else {
        flights_.give_back(plan_);
      }
    }
    if (!is_ahead_) {
      fence_in_wave();
      return;
    }
    neighbour_.ask(plan_.slot);
    ++in_flight_;
  }

  CHANNELS_GPU_INLINE void announce(ledger_flight& f) {
    const std::uint32_t wanted = (f.count() + persistent_items - 1) / persistent_items;
    const std::uint32_t groups = wanted < workers_ ? wanted : workers_;
    fence_in_wave();
    if (lane_index() == 0) {
      f.message[announcement::groups] = groups;
      f.message[announcement::first_group] = next_group_;
    }
    fence_in_wave();
    // All batches that have ended are known to whoever runs this one.
    release_to_device();
    announcement& a = p_.announcements[number_ % announcement_ring];
    const std::uint32_t words = announcement::windows + 4 * f.outputs;
    for (std::uint32_t i = 0; i * line::size < words; ++i)
      write_line(a.of[i], f.message + i * line::size, number_);
    next_group_ = (next_group_ + groups) % workers_;
    ++number_;
  }

  // The end.

  [[nodiscard]] CHANNELS_GPU_INLINE bool empty() const {
    bool any = false;
    for (std::uint32_t i = lane_index(); i < p_.channel_count; i += wave_width)
      any |= l_.channels[i].live() != 0;
    return ballot(any) == 0;
  }

  CHANNELS_GPU_INLINE void look_at_host() {
    const std::uint32_t stop = lane_index() == 0 ? peek(&p_.end->stop) : 0;
    if (of_lane(stop, 0) != 0) why_ = handover_end::stopped;
  }
  /// Tells the host that batches end; seldom, for the next fence waits for the bus.
  CHANNELS_GPU_INLINE void beat() {
    constexpr std::uint64_t seldom = 10'000'000;
    if (lane_index() != 0 || since_ - beaten_ < seldom) return;
    beaten_ = since_;
    std::uint64_t tasks = 0;
    for (std::uint32_t i = 0; i < l_.graph.stack_count; ++i) {
      const kept_stack& s = l_.graph.stacks[i];
      if (!s.frames && s.consumer < most_kept_nodes) tasks += l_.node_elements[s.consumer];
    }
    channels::detail::atomic_store<order::relaxed>(&p_.end->tasks, tasks);
    channels::detail::atomic_store<order::relaxed>(&p_.end->level, level_);
    // Relaxed: only whether it changes matters.
    channels::detail::atomic_store<order::relaxed>(&p_.end->beats, ++beats_);
  }

  CHANNELS_GPU_INLINE void leave() {
    neighbour_.send_home();
    if (lane_index() == 0) l_.message[announcement::node] = announcement::over;
    fence_in_wave();
    write_line(p_.announcements[number_ % announcement_ring].of[0], l_.message, number_);
    for (std::uint32_t i = lane_index(); i < p_.channel_count; i += wave_width)
      l_.channels[i].end(p_.channels[i]);
    device_aggregator_end& e = *p_.end;
    for (std::uint32_t i = lane_index(); i < most_kept_nodes; i += wave_width) {
      e.node_batches[i] = l_.node_batches[i];
      e.node_elements[i] = l_.node_elements[i];
    }
    if (lane_index() == 0) {
      e.why = why_;
      e.batches = batches_;
      e.cut_by_room = cut_;
      e.largest_batch = most_;
      e.decide_ns = decide_ns_;
      e.idle_ns = idle_ns_;
      e.busy_ns =
          fetch_add<order::relaxed>(&p_.times[0], neighbour_.busy_ns()) + neighbour_.busy_ns();
      e.wait_ns = load<order::relaxed>(&p_.times[1]);
      e.next_number = number_ + 1;
      e.left_at = clock_ns();
      e.noted = notes_.counts();
      e.left_count = 0;
      for (std::uint32_t slot = 0; slot < device_batches_in_flight; ++slot) {
        if (left_.has(slot)) leave_batch(slot, e.left[e.left_count++]);
      }
    }
    converge();
    release_to_system();
    // Release: the host acquires the number, and then reads the rest.
    if (lane_index() == 0) channels::detail::atomic_store<order::release>(&e.ended, p_.run_number);
  }
  CHANNELS_GPU_INLINE void leave_batch(std::uint32_t slot, left_on_device& to) const {
    const ledger_flight& f = l_.flights[slot];
    to.slot = slot;
    to.node = f.node();
    to.source = f.source();
    to.count = f.count();
    to.start = f.start;
    to.end = f.end;
    to.run_count = f.run_count();
    for (std::uint32_t i = 0; i < to.run_count; ++i) to.runs[i] = f.run(i);
    for (std::uint32_t i = 0; i < f.outputs; ++i) {
      const ledger_flight::window_words w = f.window(i);
      to.windows[i].channel = w.channel;
      to.windows[i].count = w.count;
      to.windows[i].first = w.first;
    }
  }

  /// Counts the time since the last call.
  CHANNELS_GPU_INLINE void book(std::uint64_t& to) {
    const std::uint64_t now = clock_ns();
    to += now - since_;
    since_ = now;
  }

  const device_aggregator_parameters& p_;
  ledger& l_;
  ready_frames frames_;
  batch_builder flights_;
  neighbour neighbour_;
  std::uint32_t workers_;  ///< work-groups that run batches
  std::uint32_t number_;   ///< of the next announcement
  std::uint32_t next_group_ = 0;
  std::uint32_t in_flight_ = 0;
  flight_set announced_;  ///< in flight, and not the neighbour's
  flight_set left_;       ///< ended, and the host has to make sense of that
  flight_set fits_;       ///< channels can keep what it leaves
  batch_builder::plan plan_{};
  std::uint32_t plan_output_ = 0;  ///< of the batch that writes the elements
  bool has_plan_ = false;
  bool is_ahead_ = false;  ///< the batch that ended last has been followed as planned
  std::uint32_t arrivals_ = 0;
  std::uint32_t beats_ = 0;
  bool wanting_ = false;
  bool levelized_ = false;  ///< there are frames that wait for deeper levels
  handover_end why_ = handover_end::none;
  std::uint64_t batches_ = 0;  ///< known to lane 0, like what follows
  std::uint64_t cut_ = 0;
  std::uint32_t most_ = 0;
  std::uint32_t level_ = 0;  ///< of the batch that ended last
  std::uint64_t decide_ns_ = 0;
  std::uint64_t idle_ns_ = 0;
  std::uint64_t since_ = 0;   ///< when time was last counted
  std::uint64_t beaten_ = 0;  ///< when the host was last told
  decision_notes notes_;      ///< of lane 0
};

}  // namespace channels::gpu::detail
