#pragma once

#include "channels/config.hpp"
#include "channels/detail/atomic.hpp"
#include "channels/detail/channel_protocol.hpp"
#include "channels/detail/element.hpp"

/// The channel's protocol (paper, section 3.2), on memory that something else owns.
///
/// Elements are named by *tickets*: 64-bit numbers that only grow. An element's place in the data
/// array is `ticket & (capacity - 1)`. An element moves forward through five states:
///
///     available --talloc--> reserved --enq--> ready --deq--> dispatched --tfree--> done --reclaim-->
///
/// A channel has three arrays: `data`; `control`, twice as long, whose words name runs of ready
/// elements in the order in which they were enqueued; and `done_count`, one counter for each group
/// of elements. docs/design/channel-proof.md says how the protocol is checked.
///
/// Where this differs from the paper:
/// - A control word names a *run* of elements, not one, so that a block of elements costs one word.
/// - A control slot is claimed and filled by one compare-and-swap of the word itself, so a stopped
///   producer never holds up what others have enqueued after it. (The paper reserves, writes, and
///   then lets `tail` catch up with `reserveTail` in order.)
/// - When all that was ever reserved is done, the reclaimer skips the rest of the last group, so that
///   an idle channel is an empty one and a channel of a few elements works. The head moves by whole
///   groups only. If it stopped inside a group, the group's next lap would add to the same done
///   count.
namespace channels {

/// A channel without the type of its elements; its operations return and take tickets. Copy it
/// freely, between threads and to devices. One lane or one host thread calls a function; any number
/// of them may at once, except where a function says otherwise, and none waits for another.
/// `Protocol` gives the orders of the atomics and the reason for each; their scope is the system.
template <class Protocol = channel_protocol>
class basic_channel_view {
 public:
  basic_channel_view() = default;

  /// A channel in `memory`: `geometry.bytes(data_bytes, control)` bytes, aligned to a cache line.
  /// The first `zeroed_bytes` of them were zero when the channel was made. With `data` the elements
  /// are there, and `memory` has the zeroed bytes only.
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

  /// Reserves as many elements as there is room for, at least `least` and at most `most`. Empty if
  /// there is no room for `least`. (Compute units reserve blocks so, for the lanes that they run.)
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

  /// Reserves `count` elements that are neighbours in memory too. Elements before the end of the
  /// data array that are too few are skipped, and given back at once.
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
        // The channel is empty, but the run does not fit between its tail and the end of the array.
        // Skip only those elements: when they are reclaimed the next call starts at the beginning.
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

  /// Gives back reserved elements that were not enqueued and never will be. They become available
  /// at once if nothing was reserved after them; otherwise they count as done.
  CHANNELS_DEVICE void give_back(run unused) const {
    if (!unused) return;
    std::uint64_t end = unused.end();
    if (!detail::atomic_compare_exchange<Protocol::reserve>(&counters_->tail, end, unused.first)) {
      tfree(unused);
    }
  }

  /// Makes reserved elements ready: a thread that sees them ready sees what was written to them
  /// (release). It always succeeds, since each live element is in at most one control word, and
  /// fewer than two times `capacity` words can lie between the oldest live element's word and the
  /// newest.
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

  /// The run that control word number `position` names, or an empty run if that word is not filled
  /// yet (acquire: its elements can be read). Words are filled in order, so all words behind an
  /// empty one are empty. The aggregator, the only consumer of its channels, walks the control
  /// array with it.
  [[nodiscard]] CHANNELS_DEVICE run peek(std::uint64_t position) const {
    const std::uint64_t word = detail::atomic_load<Protocol::read_control>(control_slot(position));
    return detail::control_word::lap(word) == lap(position) ? whole_tickets(word) : run{};
  }

  /// Takes the oldest run that is ready and not taken: deq for consumers without an aggregator.
  /// Empty if nothing is ready.
  [[nodiscard]] CHANNELS_DEVICE run deq() const {
    std::uint64_t position = detail::atomic_load<Protocol::read_claimed>(&counters_->claimed);
    for (;;) {
      // The word cannot change between here and the claim: its slot is filled again only after its
      // elements are reclaimed, and they are reclaimed only after a claim.
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

  /// Ends the use of elements, with one atomic for each done group (release: what the caller read
  /// is read before the space is used again). They become available when everything reserved before
  /// them is done too and `reclaim` has seen it.
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
  /// is not done. Returns the number of tickets, with those skipped at the end of a group. One
  /// caller at a time.
  CHANNELS_DEVICE std::uint64_t reclaim() const {
    // Relaxed: only the reclaimer writes the head.
    const std::uint64_t before = detail::atomic_load<detail::order::relaxed>(&counters_->head);
    std::uint64_t head = before;
    for (;;) {
      std::uint32_t* const done = done_of(head);
      const std::uint32_t count = detail::atomic_load<Protocol::read_done>(done);
      if (count == group_) {
        Protocol::at(protocol_step::reclaim_before_reset);
        // Relaxed: whatever reserves the group's next elements has seen the head beyond it, which
        // is stored later, with release.
        detail::atomic_store<detail::order::relaxed>(done, 0);
        head += group_;
        continue;
      }
      // The count was read before the tail, so if the two agree then all that is reserved is done.
      // The exchange reserves the rest of the group, which then counts as done too. Relaxed: an old
      // value only delays the skip, since the exchange compares again.
      std::uint64_t tail = head + count;  // the head lies between groups
      if (count == 0 || detail::atomic_load<detail::order::relaxed>(&counters_->tail) != tail)
        break;
      Protocol::at(protocol_step::reclaim_before_skip);
      if (!detail::atomic_compare_exchange<Protocol::reserve>(&counters_->tail, tail,
                                                              head + group_)) {
        break;
      }
      // Relaxed: as above.
      detail::atomic_store<detail::order::relaxed>(done, 0);
      head += group_;
    }
    if (head != before) {
      Protocol::at(protocol_step::reclaim_before_head);
      detail::atomic_store<Protocol::write_head>(&counters_->head, head);
    }
    return head - before;
  }

  /// Sets the channel's state after it was used elsewhere: tickets before `tail` have been handed
  /// out, those before `head` are free, and none between the two is done. No atomics: the caller
  /// has the channel to itself, and nothing of it is ready or dispatched.
  CHANNELS_DEVICE void move_to(std::uint64_t head, std::uint64_t tail) const {
    const std::uint64_t groups_from = counters_->head & ~std::uint64_t{group_ - 1};
    for (std::uint64_t t = groups_from; t < counters_->tail; t += group_) *done_of(t) = 0;
    if (head == tail) head = tail = (tail + group_ - 1) & ~std::uint64_t{group_ - 1};
    counters_->head = head & ~std::uint64_t{group_ - 1};
    counters_->tail = tail;
    *done_of(head) = static_cast<std::uint32_t>(head - counters_->head);
  }

  /// Makes all `zeroed_bytes` zero again; it touches only those that have been used. No atomics:
  /// the caller has the channel to itself.
  CHANNELS_DEVICE void clear() const {
    const auto zero = [](auto* words, std::uint64_t used, std::uint64_t all) {
      for (std::uint64_t i = 0; i < used && i < all; ++i) words[i] = 0;
    };
    // One control word more than counted may be filled: its producer stopped before it counted it.
    if (has_control()) zero(control_, counters_->control_tail + 1, 2 * std::uint64_t{capacity()});
    zero(done_count_, (counters_->tail + group_ - 1) >> group_shift_, capacity() >> group_shift_);
    *counters_ = {};
  }

  /// The first ticket that is not free. No atomics: the caller has the channel to itself.
  [[nodiscard]] CHANNELS_DEVICE std::uint64_t oldest() const { return counters_->head; }
  /// How many elements of the group of `ticket` are done; the same holds.
  [[nodiscard]] CHANNELS_DEVICE std::uint32_t done_with(std::uint64_t ticket) const {
    return *done_of(ticket);
  }

  /// Elements that are not available: reserved, ready, dispatched, or done and not yet reclaimed.
  /// Exact while nothing else uses the channel; otherwise the view of a moment.
  [[nodiscard]] CHANNELS_DEVICE std::uint64_t live() const {
    // Acquire: the tail is not read before the head, so the difference is not negative.
    const std::uint64_t head = detail::atomic_load<detail::order::acquire>(&counters_->head);
    return detail::atomic_load<detail::order::acquire>(&counters_->tail) - head;
  }

  /// Tickets handed out, or skipped, since the channel was made.
  [[nodiscard]] CHANNELS_DEVICE std::uint64_t reserved() const {
    // Relaxed: a count that orders nothing.
    return detail::atomic_load<detail::order::relaxed>(&counters_->tail);
  }

 private:
  /// Sets `room` to how many elements may be reserved above `tail`. False, with `tail` read anew,
  /// if others have moved the head beyond what `tail` can be compared with.
  [[nodiscard]] CHANNELS_DEVICE bool room_above(std::uint64_t& tail, std::uint64_t& room) const {
    const std::uint64_t used = tail - detail::atomic_load<Protocol::read_head>(&counters_->head);
    if (used > capacity()) {
      tail = detail::atomic_load<Protocol::read_tail>(&counters_->tail);
      return false;
    }
    room = capacity() - used;
    return true;
  }

  /// The bit that tells a control word of this lap from the word that the lap before left there.
  /// Memory starts zeroed, so it is one in the first lap.
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
    // Relaxed: an older head, fewer than 2^48 tickets behind, gives the same result.
    const std::uint64_t head = detail::atomic_load<detail::order::relaxed>(&counters_->head);
    r.first = head + ((r.first - head) & detail::control_word::ticket_mask);
    return r;
  }

  /// Fills the next free control slot. While the caller holds elements that it has not enqueued,
  /// others can enqueue fewer than two capacities of words (see `enq`). So however long the caller
  /// is stopped here, the slot that it looks at is filled at most once: `word` is of this lap, or
  /// what the lap before left. If the exchange finds the word unchanged, the slot is still free.
  CHANNELS_DEVICE void publish(run piece) const {
    for (;;) {
      std::uint64_t tail =
          detail::atomic_load<Protocol::read_control_tail>(&counters_->control_tail);
      std::uint64_t word = detail::atomic_load<Protocol::read_control>(control_slot(tail));
      if (detail::control_word::lap(word) == lap(tail)) {
        // A producer filled this slot and may have stopped before it moved the tail: move it.
        advance_control_tail(tail);
        continue;
      }
      Protocol::at(protocol_step::enq_before_publish);
      if (detail::atomic_compare_exchange<Protocol::publish>(
              control_slot(tail), word, detail::control_word::pack(lap(tail), piece))) {
        advance_control_tail(tail);
        return;
      }
      // The tail is not moved from here: a failed exchange has not acquired the word that it found,
      // and only a thread that has may move the tail over it. The next round does.
    }
  }

  CHANNELS_DEVICE void advance_control_tail(std::uint64_t tail) const {
    Protocol::at(protocol_step::enq_before_advance);
    // Failure means that another thread has moved it.
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
