#pragma once

#include "channels/gpu/device_aggregator/announcer.hpp"
#include "channels/gpu/device_aggregator/decisions.hpp"
#include "channels/gpu/device_aggregator/fill_ledger.hpp"
#include "channels/gpu/device_aggregator/flight_ends.hpp"
#include "channels/gpu/device_aggregator/hand_back.hpp"
#include "channels/gpu/device_aggregator/host_contact.hpp"
#include "channels/gpu/device_aggregator/plan_ahead.hpp"
#include "channels/gpu/device_aggregator/ready_frames.hpp"
#include "channels/gpu/tuning.hpp"

/// The device aggregator: one wavefront, which decides as the host's aggregator does, by the same
/// orders (scheduling.hpp), while nothing out of the ordinary happens. Then it lets what is in
/// flight end, and hands everything back to the host.
namespace channels::gpu::detail {

/// The loop. Each flight is in one set: announced, the neighbour's, or left to the host. Its parts
/// keep their state by value in one frame of the kernel. No part refers to another: what it needs
/// of one it is given with the call, because an object whose address is stored does not stay in
/// registers. All lanes call its functions together; lane 0 changes the ledger.
class device_aggregator {
 public:
  CHANNELS_GPU_INLINE device_aggregator(const device_aggregator_parameters& p, ledger& l,
                                        neighbour_memory& beside, std::uint32_t workers)
      : p_(p),
        l_(l),
        frames_(p, l),
        notes_(p.log),
        builder_(p, l),
        chooser_(p, l),
        announcer_(p, l, workers),
        neighbour_(beside),
        ends_(p, l),
        plan_(p, l),
        host_(p, l) {}

  CHANNELS_GPU_INLINE void run() {
    fill_ledger(p_, l_, builder_);
    host_.begin();
    chooser_.begin();
    frames_.read_tallies(arrivals_);
    std::uint32_t looks = 0;
    since_ = clock_ns();
    const std::uint64_t started = since_;
    for (;;) {
      const bool news = collect();
      if (news) book(idle_ns_);
      if (why_ == handover_end::none && (news || in_flight_ == 0)) {
        if (!plan_.is_ahead()) decide();
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
        host_.beat(since_, ends_.level());
      }
      if (++looks % host_contact_tuning::turns_between_looks == 0) look_at_host();
      relax();
    }
    if (lane_index() == 0) p_.end->started = started;
    leave();
  }

 private:
  using choice = batch_chooser::choice;

  /// A set of flights, in a register.
  struct flight_set {
    std::uint32_t bits = 0;

    [[nodiscard]] CHANNELS_GPU_INLINE bool has(std::uint32_t slot) const {
      return (bits >> slot & 1U) != 0;
    }
    CHANNELS_GPU_INLINE void add(std::uint32_t slot) { bits |= 1U << slot; }
  };
  // What has ended.

  /// Takes all batches that have ended. True if there was any.
  CHANNELS_GPU_INLINE bool collect() {
    plan_.forget_last();
    flight_set ended;
    if (neighbour_.is_busy()) {
      // Only the neighbour has a batch: there is nothing else to look at.
      bool has_ended = neighbour_.has_ended();
      for (std::uint32_t looks = 1; announced_.bits == 0 && !has_ended; ++looks) {
        if (looks % host_contact_tuning::turns_between_looks == 0) look_at_host();
        relax();
        has_ended = neighbour_.has_ended();
      }
      if (has_ended) {
        ended.bits = neighbour_.take();
        if (plan_.is_made() &&
            plan_.follow(first(ended.bits), why_ == handover_end::none, neighbour_, notes_)) {
          ++in_flight_;
        }
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
  /// Reads the reports of announced batches. Returns those that have ended. Acquire, device.
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
        (fits_.has(slot) || of_lane(lane_index() == 0 && ends_.fits(f) ? 1U : 0U, 0) != 0);
    fits_ = {};
    if (ordinary) {
      if (lane_index() == 0) ends_.take(slot, plan_.followed(), arrivals_, notes_);
      fence_in_wave();
      frames_.free_after(l_.flights[slot]);
    } else {
      ends_.pass_report_on(slot);
      left_.add(slot);
      why_ = handover_end::remarks;
    }
    --in_flight_;
    fence_in_wave();
  }
  // What to do next.

  CHANNELS_GPU_INLINE void decide() {
    // What is dispatched meanwhile does not make frames eligible.
    chooser_.release_frames();
    while (in_flight_ < device_batches_in_flight && announcer_.may_announce(announced_.bits)) {
      const choice best = chooser_.choose();
      if (best.room == 0) {
        if (chooser_.wants_room() && in_flight_ == 0) why_ = handover_end::room;
        return;
      }
      if (best.cut && best.wants) {
        why_ = handover_end::room;
        return;
      }
      // While the device is busy a small batch waits: it may grow until the device is free.
      if (in_flight_ >= 1 && best.room < p_.most_in_batch / 16) return;
      dispatch(best);
    }
  }

  CHANNELS_GPU_INLINE void dispatch(const choice& best) {
    if (in_flight_ == 0) announcer_.restart_groups();
    const std::uint32_t slot = free_slot();
    const ledger_channel& source = l_.channels[best.channel];
    const std::uint32_t elements = source.counted != 0 ? source.live() : best.room;
    const bool is_small = elements <= wave_width && !neighbour_.is_busy();
    if (is_small) l_.reports[slot].clear();
    fence_in_wave();
    if (lane_index() == 0) {
      if (is_small) {
        builder_.reserve(
            {slot, best.channel, best.room, neighbour_.next_number(), &neighbour_.next()});
      } else {
        builder_.reserve({slot, best.channel, best.room, announcer_.number(), nullptr});
      }
      if (notes_.wanted()) l_.flights[slot].start = clock_ns();
    }
    if (is_small) {
      neighbour_.ask(slot);
    } else {
      announced_.add(slot);
      fence_in_wave();
      announcer_.announce(l_.flights[slot]);
    }
    ++in_flight_;
    cut_ += best.cut ? 1 : 0;
    fence_in_wave();
  }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t free_slot() const {
    return first(~(announced_.bits | left_.bits | neighbour_.flights()));
  }

  /// Prepares for the end of the batch in flight, if it is the only one, since nothing else changes
  /// the ledger meanwhile: whether the channels can keep what it leaves, and what comes next.
  CHANNELS_GPU_INLINE void look_ahead() {
    fits_ = {};
    if (in_flight_ != 1) return;
    const std::uint32_t slot = first(announced_.bits | neighbour_.flights());
    const ledger_flight& f = l_.flights[slot];
    const std::uint32_t outputs = f.outputs;
    const std::uint32_t run_count = f.run_count();
    if (outputs > wave_width) return;
    bool fits = ends_.has_place(f.source(), 0, run_count);
    bool is_way = false;
    bool is_frames = false;
    if (lane_index() < outputs) {
      const numbered_window w = f.window(lane_index());
      if (w.channel != numbered_window::no_channel) {
        is_frames = l_.channels[w.channel].frames != 0;
        is_way = w.count != 0 && !is_frames;
        fits &= ends_.has_place(w.channel, outputs, outputs + run_count);  // more than it leaves
      }
    }
    const lane_mask ways = ballot(is_way);
    const bool writes_frames = ballot(is_frames) != 0;
    if (ballot(!fits) != 0) return;
    fits_.add(slot);
    if (neighbour_.is_busy() && count(ways) == 1)
      plan_.make(f, first(ways), writes_frames, free_slot(), neighbour_);
  }
  // The end.

  [[nodiscard]] CHANNELS_GPU_INLINE bool empty() const {
    bool any = false;
    for (std::uint32_t i = lane_index(); i < p_.channel_count; i += wave_width)
      any |= l_.channels[i].live() != 0;
    return ballot(any) == 0;
  }

  CHANNELS_GPU_INLINE void look_at_host() {
    if (host_.wants_stop()) why_ = handover_end::stopped;
  }

  /// Sends all other wavefronts away, and tells the host what is left. Release, system.
  CHANNELS_GPU_INLINE void leave() {
    neighbour_.dismiss();
    announcer_.announce_end();
    for (std::uint32_t i = lane_index(); i < p_.channel_count; i += wave_width)
      l_.channels[i].end(p_.channels[i]);
    device_aggregator_end& e = *p_.end;
    for (std::uint32_t i = lane_index(); i < most_graph_nodes; i += wave_width) {
      e.node_batches[i] = l_.node_batches[i];
      e.node_elements[i] = l_.node_elements[i];
    }
    if (lane_index() == 0) {
      e.why = why_;
      e.batches = ends_.batches();
      e.cut_by_room = cut_;
      e.largest_batch = ends_.largest();
      e.decide_ns = decide_ns_;
      e.idle_ns = idle_ns_;
      e.busy_ns =
          fetch_add<order::relaxed>(&p_.times[0], neighbour_.busy_ns()) + neighbour_.busy_ns();
      e.wait_ns = load<order::relaxed>(&p_.times[1]);
      e.next_number = announcer_.number() + 1;
      e.left_at = clock_ns();
      e.noted = notes_.counts();
      e.left_count = 0;
      for (std::uint32_t slot = 0; slot < device_batches_in_flight; ++slot) {
        if (left_.has(slot)) pass_batch_on(l_.flights[slot], slot, e.left[e.left_count++]);
      }
    }
    converge();
    release_to_system();
    // Release: the host acquires the number, and then reads the rest.
    if (lane_index() == 0) channels::detail::atomic_store<order::release>(&e.ended, p_.run_number);
  }
  /// Adds the time since the last call to `to`.
  CHANNELS_GPU_INLINE void book(std::uint64_t& to) {
    const std::uint64_t now = clock_ns();
    to += now - since_;
    since_ = now;
  }

  const device_aggregator_parameters& p_;
  ledger& l_;
  ready_frames frames_;
  decision_notes notes_;  ///< of lane 0
  batch_builder builder_;
  batch_chooser chooser_;
  announcer announcer_;
  neighbour neighbour_;
  flight_ends ends_;
  plan_ahead plan_;
  host_contact host_;
  std::uint32_t in_flight_ = 0;
  flight_set announced_;  ///< in flight, and not the neighbour's
  flight_set left_;       ///< ended, and passed on to the host
  flight_set fits_;       ///< channels can keep what it leaves
  std::uint32_t arrivals_ = 0;
  handover_end why_ = handover_end::none;
  std::uint64_t cut_ = 0;  ///< batches cut for room
  std::uint64_t decide_ns_ = 0;
  std::uint64_t idle_ns_ = 0;
  std::uint64_t since_ = 0;  ///< when time was last counted
};

}  // namespace channels::gpu::detail
