#pragma once

#include "channels/config.hpp"
#include "channels/detail/atomic.hpp"
#include "channels/detail/channel_protocol.hpp"
#include "channels/detail/element.hpp"

/// The channel's protocol (paper, section 3.2), on memory that somebody else owns.
///
/// Elements are named by *tickets*: 64-bit numbers that only grow, an element's place in the data
/// array being `ticket & (capacity - 1)`. An element moves forward through five states:
///
///     available --talloc--> reserved --enq--> ready --deq--> dispatched --tfree--> done --reclaim-->
///
/// Three arrays hold that: `data`; `control`, twice as long, whose words name runs of ready
/// elements in the order in which they were enqueued; and `done_count`, one counter for each group
/// of elements. How it is checked: docs/design/channel-proof.md.
///
/// Where this differs from the paper:
/// - A control word names a *run* of elements, not one, so that a block of elements costs one word.
/// - A control slot is claimed and filled by one compare-and-swap of the word itself, so there is no
///   moment at which a stopped producer holds up what others have enqueued after it. (The paper
///   reserves, writes, and then lets `tail` catch up with `reserveTail` in order.)
/// - When all that was ever reserved is done, the reclaimer skips the rest of the last group, so that
///   an idle channel is an empty one and a channel of a few elements works. The head moves by whole
///   groups only: were it to stop inside one, the group's next lap would count on the same done count.
namespace channels {

/// A channel in somebody's memory, without the type of its elements: what moves through it are
/// tickets. Copy it freely, between threads and to devices. Every member function may be called
/// from any number of threads at once, except where it says otherwise; none waits for another
/// thread.
template <class Protocol = channel_protocol>
class basic_channel_view {
 public:
  basic_channel_view() = default;

  /// A channel in `memory`: `geometry.bytes(data_bytes, control)` bytes, aligned to a cache line,
  /// of which the first `zeroed_bytes` were zero when the channel was made. The elements are at
  /// `data` if that is given, and there is nothing after the zeroed bytes then.
  CHANNELS_DEVICE basic_channel_view(std::byte* memory, channel_geometry geometry,
                                     bool control = true, std::byte* data = nullptr)
      : counters_(reinterpret_cast<detail::channel_counters*>(memory)),
        mask_(geometry.capacity - 1),
        group_(geometry.done_group) {
    while (1U << group_shift_ < group_) ++group_shift_;
    memory += sizeof(detail::channel_counters);
    control_ = control ? reinterpret_cast<std::uint64_t*>(memory) : nullptr;
    memory += control ? geometry.control_bytes() : 0;
    done_count_ = reinterpret_cast<std::uint32_t*>(memory);
    memory += geometry.done_bytes();
    data_ = data != nullptr ? data : memory;
  }

  /// Bytes at the start of the memory that must be zero before the first use.
  static constexpr CHANNELS_DEVICE std::size_t zeroed_bytes(channel_geometry geometry,
                                                            bool control = true) {
    return geometry.bytes(0, control);
  }

  [[nodiscard]] CHANNELS_INLINE CHANNELS_DEVICE std::byte* data() const { return data_; }
  /// False for a channel that is for allocation only: nothing is enqueued there.
  [[nodiscard]] CHANNELS_INLINE CHANNELS_DEVICE bool has_control() const {
    return control_ != nullptr;
  }
  [[nodiscard]] CHANNELS_INLINE CHANNELS_DEVICE std::uint32_t capacity() const { return mask_ + 1; }
  [[nodiscard]] CHANNELS_INLINE CHANNELS_DEVICE std::uint32_t done_group() const { return group_; }
  [[nodiscard]] CHANNELS_INLINE CHANNELS_DEVICE std::uint32_t slot(std::uint64_t ticket) const {
    return static_cast<std::uint32_t>(ticket) & mask_;
  }
  explicit CHANNELS_DEVICE operator bool() const { return counters_ != nullptr; }

  /// Reserves `count` elements, with one atomic for all of them (paper, figure 5). Empty, with
  /// nothing reserved, if the channel has no room for all.
  [[nodiscard]] CHANNELS_DEVICE run talloc(std::uint32_t count) const {
    return talloc_between(count, count);
  }

  /// Reserves as many elements as there is room for, at least `least` and at most `most`: the block
  /// that a compute unit keeps and hands out. Empty if there is no room for `least`.
  [[nodiscard]] CHANNELS_DEVICE run talloc_between(std::uint32_t least, std::uint32_t most) const {
    std::uint64_t tail = detail::atomic_load<Protocol::read_tail>(&counters_->tail);
    for (;;) {
      std::uint64_t room = 0;
      if (!room_above(tail, room)) continue;
      if (room < least || most == 0) return {};
      const auto count = static_cast<std::uint32_t>(room < most ? room : most);
      Protocol::at(protocol_step::talloc_before_reserve);
      if (detail::atomic_compare_exchange<Protocol::reserve>(&counters_->tail, tail,
                                                             tail + count)) {
        return {tail, count};
      }
    }
  }

  /// Reserves `count` elements that are neighbours in memory too. What lies before the end of the
  /// data array and is too short is skipped, and given back at once.
  [[nodiscard]] CHANNELS_DEVICE run talloc_contiguous(std::uint32_t count) const {
    if (count == 0 || count > capacity()) return {};
    std::uint64_t tail = detail::atomic_load<Protocol::read_tail>(&counters_->tail);
    for (;;) {
      const std::uint32_t until_end = capacity() - slot(tail);
      const std::uint32_t skipped = until_end < count ? until_end : 0;
      std::uint64_t room = 0;
      if (!room_above(tail, room)) continue;
      if (room < std::uint64_t{skipped} + count) {
        if (skipped == 0 || room != capacity()) return {};
        // The channel is empty, but its tail stands where the run does not fit: skip what is left
        // alone, so that reclaiming it lets the next call start at the beginning.
        Protocol::at(protocol_step::talloc_before_reserve);
        if (detail::atomic_compare_exchange<Protocol::reserve>(&counters_->tail, tail,
                                                               tail + skipped)) {
          tfree({tail, skipped});
        }
        return {};
      }
      Protocol::at(protocol_step::talloc_before_reserve);
      if (detail::atomic_compare_exchange<Protocol::reserve>(&counters_->tail, tail,
                                                             tail + skipped + count)) {
        if (skipped != 0) tfree({tail, skipped});
        return {tail + skipped, count};
      }
    }
  }

  /// Gives back reserved elements that were not enqueued and never will be: they become available
  /// at once if nobody reserved after them, and otherwise wait for their turn as done.
  CHANNELS_DEVICE void give_back(run unused) const {
    if (!unused) return;
    std::uint64_t end = unused.end();
    if (!detail::atomic_compare_exchange<Protocol::reserve>(&counters_->tail, end, unused.first)) {
      tfree(unused);
    }
  }

  /// Makes reserved elements ready: whoever sees them there sees what was written to them. Always
  /// succeeds: each live element takes part in at most one control word, and fewer than two times
  /// `capacity` words can lie between the oldest live element's word and the newest.
  CHANNELS_DEVICE void enq(run elements) const {
    while (elements) {
      const run piece{elements.first, elements.count < detail::control_word::longest_run
                                          ? elements.count
                                          : detail::control_word::longest_run};
      publish(piece);
      elements.first += piece.count;
      elements.count -= piece.count;
    }
  }

  /// The run that control word number `position` names, or an empty run if it has not been enqueued
  /// yet. The aggregator, which is alone in taking, walks the control array with it. Words are
  /// filled in order: behind an empty run there is nothing.
  [[nodiscard]] CHANNELS_DEVICE run peek(std::uint64_t position) const {
    const std::uint64_t word = detail::atomic_load<Protocol::read_control>(control_slot(position));
    return detail::control_word::lap(word) == lap(position) ? whole_tickets(word) : run{};
  }

  /// Takes the oldest run that is ready and that nobody has taken: deq for consumers without an
  /// aggregator. Empty if nothing is ready.
  [[nodiscard]] CHANNELS_DEVICE run deq() const {
    std::uint64_t position = detail::atomic_load<Protocol::read_claimed>(&counters_->claimed);
    for (;;) {
      // The word cannot change between here and the claim: its slot is not filled again before its
      // elements are reclaimed, and they are not before somebody claims it.
      const run taken = peek(position);
      if (!taken) {
        const std::uint64_t now = detail::atomic_load<Protocol::read_claimed>(&counters_->claimed);
        if (now == position) return {};
        position = now;
        continue;
      }
      Protocol::at(protocol_step::deq_before_claim);
      if (detail::atomic_compare_exchange<Protocol::claim>(&counters_->claimed, position,
                                                           position + 1)) {
        return taken;
      }
    }
  }

  /// Ends the use of elements. They become available when everything reserved before them has ended
  /// too and `reclaim` has seen it.
  CHANNELS_DEVICE void tfree(run elements) const {
    while (elements) {
      const std::uint32_t until_group_ends =
          group_ - (static_cast<std::uint32_t>(elements.first) & (group_ - 1));
      const std::uint32_t count =
          elements.count < until_group_ends ? elements.count : until_group_ends;
      Protocol::at(protocol_step::tfree_before_count);
      detail::atomic_fetch_add<Protocol::count_done>(done_of(elements.first), count);
      elements.first += count;
      elements.count -= count;
    }
  }

  /// Makes elements available again, in the order in which they were reserved, up to the first that
  /// is not done. Returns how many tickets that is, those skipped at the end of a group included.
  /// One caller at a time.
  CHANNELS_DEVICE std::uint64_t reclaim() const {
    const std::uint64_t before = detail::atomic_load<detail::order::relaxed>(&counters_->head);
    std::uint64_t head = before;
    for (;;) {
      std::uint32_t* const done = done_of(head);
      const std::uint32_t count = detail::atomic_load<Protocol::read_done>(done);
      if (count == group_) {
        Protocol::at(protocol_step::reclaim_before_reset);
        // Relaxed: the group's next elements are reserved by those who have seen the head beyond
        // it.
        detail::atomic_store<detail::order::relaxed>(done, 0);
        head += group_;
        continue;
      }
      // The count was read before the tail, so if the two agree then all that is reserved is done.
      // The exchange reserves the rest of the group, which then counts as done as well.
      std::uint64_t tail = head + count;  // the head lies between groups
      if (count == 0 || detail::atomic_load<detail::order::relaxed>(&counters_->tail) != tail)
        break;
      Protocol::at(protocol_step::reclaim_before_skip);
      if (!detail::atomic_compare_exchange<Protocol::reserve>(&counters_->tail, tail,
                                                              head + group_)) {
        break;
      }
      detail::atomic_store<detail::order::relaxed>(done, 0);
      head += group_;
    }
    if (head != before) {
      Protocol::at(protocol_step::reclaim_before_head);
      detail::atomic_store<Protocol::write_head>(&counters_->head, head);
    }
    return head - before;
  }

  /// Makes the channel one of which the tickets before `tail` have been handed out and those before
  /// `head` are free: what happened to it meanwhile happened elsewhere. Between the two nothing is
  /// done. For whoever has it to himself, while nothing of it is ready or dispatched.
  CHANNELS_DEVICE void move_to(std::uint64_t head, std::uint64_t tail) const {
    const std::uint64_t groups_from = counters_->head & ~std::uint64_t{group_ - 1};
    for (std::uint64_t t = groups_from; t < counters_->tail; t += group_) *done_of(t) = 0;
    if (head == tail) head = tail = (tail + group_ - 1) & ~std::uint64_t{group_ - 1};
    counters_->head = head & ~std::uint64_t{group_ - 1};
    counters_->tail = tail;
    *done_of(head) = static_cast<std::uint32_t>(head - counters_->head);
  }

  /// Makes it as it was when it was made: of the bytes that were zero then, those that its elements
  /// have used are again. For whoever has it to himself.
  CHANNELS_DEVICE void clear() const {
    const auto zero = [](auto* words, std::uint64_t used, std::uint64_t all) {
      for (std::uint64_t i = 0; i < used && i < all; ++i) words[i] = 0;
    };
    // Of control words one more than counted may be filled, and its producer stopped before it
    // counted it.
    if (has_control()) zero(control_, counters_->control_tail + 1, 2 * std::uint64_t{capacity()});
    zero(done_count_, (counters_->tail + group_ - 1) >> group_shift_, capacity() >> group_shift_);
    *counters_ = {};
  }

  /// The first ticket that is not free, and how many of a ticket's group are done: for whoever has
  /// the channel to himself.
  [[nodiscard]] CHANNELS_DEVICE std::uint64_t oldest() const { return counters_->head; }
  [[nodiscard]] CHANNELS_DEVICE std::uint32_t done_with(std::uint64_t ticket) const {
    return *done_of(ticket);
  }

  /// Elements that are not available: reserved, ready, dispatched, or done and not yet reclaimed.
  /// Exact when nobody else is at work; otherwise a moment's view.
  [[nodiscard]] CHANNELS_DEVICE std::uint64_t live() const {
    const std::uint64_t head = detail::atomic_load<detail::order::acquire>(&counters_->head);
    return detail::atomic_load<detail::order::acquire>(&counters_->tail) - head;
  }

  /// Tickets handed out, or skipped, since the channel was made.
  [[nodiscard]] CHANNELS_DEVICE std::uint64_t reserved() const {
    return detail::atomic_load<detail::order::relaxed>(&counters_->tail);
  }

 private:
  /// Finds how many elements may be reserved above `tail`. False if others have moved on so far
  /// that `tail` says nothing any more; then `tail` is read anew.
  [[nodiscard]] CHANNELS_DEVICE bool room_above(std::uint64_t& tail, std::uint64_t& room) const {
    const std::uint64_t used = tail - detail::atomic_load<Protocol::read_head>(&counters_->head);
    if (used > capacity()) {
      tail = detail::atomic_load<Protocol::read_tail>(&counters_->tail);
      return false;
    }
    room = capacity() - used;
    return true;
  }

  /// Bits that tell a control word of this lap from what the lap before left there. Memory starts
  /// zeroed, so the first lap is marked by a one.
  [[nodiscard]] CHANNELS_DEVICE bool lap(std::uint64_t position) const {
    return (position & 2 * std::uint64_t{capacity()}) == 0;
  }
  [[nodiscard]] CHANNELS_DEVICE std::uint64_t* control_slot(std::uint64_t position) const {
    return control_ + (position & (2 * std::uint64_t{capacity()} - 1));
  }
  [[nodiscard]] CHANNELS_DEVICE std::uint32_t* done_of(std::uint64_t ticket) const {
    return done_count_ + (slot(ticket) >> group_shift_);
  }

  /// The run in `word`, its ticket completed to 64 bits: live tickets lie within one capacity of
  /// the head.
  [[nodiscard]] CHANNELS_DEVICE run whole_tickets(std::uint64_t word) const {
    run r = detail::control_word::unpack(word);
    const std::uint64_t head = detail::atomic_load<detail::order::relaxed>(&counters_->head);
    r.first = head + ((r.first - head) & detail::control_word::ticket_mask);
    return r;
  }

  /// Fills the next free control slot. While the caller holds elements that it has not enqueued,
  /// others can enqueue fewer than two capacities of words (see `enq`), so however long it sleeps
  /// here, the slot that it looks at is filled at most once: `word` is this lap's, or what the lap
  /// before left; and if the exchange finds it unchanged then the slot is still free.
  CHANNELS_DEVICE void publish(run piece) const {
    for (;;) {
      std::uint64_t tail =
          detail::atomic_load<Protocol::read_control_tail>(&counters_->control_tail);
      std::uint64_t word = detail::atomic_load<Protocol::read_control>(control_slot(tail));
      if (detail::control_word::lap(word) == lap(tail)) {
        // Somebody filled this slot and may have stopped before saying so: say it for them.
        advance_control_tail(tail);
        continue;
      }
      Protocol::at(protocol_step::enq_before_publish);
      if (detail::atomic_compare_exchange<Protocol::publish>(
              control_slot(tail), word, detail::control_word::pack(lap(tail), piece))) {
        advance_control_tail(tail);
        return;
      }
      // Not helped from here: a failed exchange has not acquired what it found, and only who has
      // may move the tail over it. The next round does.
    }
  }

  CHANNELS_DEVICE void advance_control_tail(std::uint64_t tail) const {
    Protocol::at(protocol_step::enq_before_advance);
    // Failure means that it has been done.
    detail::atomic_compare_exchange<Protocol::advance>(&counters_->control_tail, tail, tail + 1);
  }

  detail::channel_counters* counters_ = nullptr;
  std::uint64_t* control_ = nullptr;
  std::uint32_t* done_count_ = nullptr;
  std::byte* data_ = nullptr;
  std::uint32_t mask_ = 0;
  std::uint32_t group_ = 1;
  std::uint32_t group_shift_ = 0;
};

using channel_view = basic_channel_view<>;

}  // namespace channels
