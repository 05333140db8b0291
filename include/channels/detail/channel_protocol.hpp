#pragma once

#include "channels/config.hpp"
#include "channels/detail/atomic.hpp"
#include "channels/detail/element.hpp"

/// The parts of the channel's protocol (`channel_view.hpp`): runs of tickets, the steps and memory
/// orders, the words in memory, and the geometry.
namespace channels {

/// Consecutive tickets of one channel. An empty run means that there was no room, or nothing to
/// take.
struct run {
  std::uint64_t first = 0;
  std::uint32_t count = 0;

  explicit constexpr CHANNELS_DEVICE operator bool() const { return count != 0; }
  [[nodiscard]] constexpr CHANNELS_DEVICE std::uint64_t end() const { return first + count; }
  friend constexpr CHANNELS_DEVICE bool operator==(const run&, const run&) = default;
};

/// The steps between which a thread may stop for any length of time: tests delay a thread at each.
enum class protocol_step : std::uint8_t {
  talloc_before_reserve,
  enq_before_publish,
  enq_before_advance,
  deq_before_claim,
  tfree_before_count,
  reclaim_before_skip,
  reclaim_before_reset,
  reclaim_before_head,
};

/// The memory orders of the protocol, and a hook at each of its steps. All have system scope, since
/// lanes of a device and threads of the host share a channel. Tests replace single members to delay
/// a thread, or to break an order and see that a test fails.
struct channel_protocol {
  /// A producer that sees the head move may overwrite what consumers have read before they freed
  /// it.
  static constexpr auto read_head = detail::order::acquire;
  /// Acquire and release: elements given back may have been written to.
  static constexpr auto reserve = detail::order::acq_rel;
  static constexpr auto read_tail = detail::order::acquire;
  /// A thread that sees the control word sees the elements that it names.
  static constexpr auto publish = detail::order::release;
  static constexpr auto read_control = detail::order::acquire;
  /// A thread that sees the control tail sees the slots below it filled. (While space is reclaimed
  /// in order this follows from the claims too; with this order it does not depend on what
  /// consumers do.)
  static constexpr auto advance = detail::order::acq_rel;
  static constexpr auto read_control_tail = detail::order::acquire;
  /// A thread that sees the words below a position claimed sees the slots up to there filled.
  /// Otherwise it could find the word that was in a slot two laps ago, which has the same lap bit.
  static constexpr auto claim = detail::order::acq_rel;
  static constexpr auto read_claimed = detail::order::acquire;
  /// Reading an element happens before its space is given to another.
  static constexpr auto count_done = detail::order::release;
  static constexpr auto read_done = detail::order::acquire;
  static constexpr auto write_head = detail::order::release;

  /// Called before each step.
  static CHANNELS_INLINE CHANNELS_DEVICE void at(protocol_step /*step*/) {}
};

namespace detail {

/// Words of a channel with different writers, each on a cache line of its own.
struct channel_counters {
  alignas(cache_line) std::uint64_t tail = 0;          ///< data tickets reserved; by producers
  alignas(cache_line) std::uint64_t head = 0;          ///< data tickets reclaimed; by the reclaimer
  alignas(cache_line) std::uint64_t control_tail = 0;  ///< control words filled; by producers
  alignas(cache_line) std::uint64_t claimed = 0;       ///< control words taken; by consumers
};

/// A control word: one bit that tells the laps of the control array apart, the length of the run,
/// and its first ticket.
struct control_word {
  static constexpr std::uint32_t longest_run = (1U << 15U) - 1;
  static constexpr std::uint64_t ticket_mask = (std::uint64_t{1} << 48U) - 1;

  static constexpr CHANNELS_DEVICE std::uint64_t pack(bool lap, run r) {
    return std::uint64_t{lap} << 63U | std::uint64_t{r.count} << 48U | (r.first & ticket_mask);
  }
  static constexpr CHANNELS_DEVICE bool lap(std::uint64_t word) { return (word >> 63U) != 0; }
  static constexpr CHANNELS_DEVICE run unpack(std::uint64_t word) {
    return {word & ticket_mask, static_cast<std::uint32_t>(word >> 48U) & longest_run};
  }
};

}  // namespace detail

/// The capacity and the done groups of a channel, and the bytes that its parts take.
struct channel_geometry {
  std::uint32_t capacity = 0;  ///< elements; a power of two, at most `largest_capacity`
  std::uint32_t done_group =
      0;  ///< elements that share a done count; a power of two, at most `capacity`

  static constexpr std::uint32_t largest_capacity = 1U << 30U;

  [[nodiscard]] constexpr CHANNELS_DEVICE bool valid() const {
    return capacity != 0 && (capacity & (capacity - 1)) == 0 && capacity <= largest_capacity &&
           done_group != 0 && (done_group & (done_group - 1)) == 0 && done_group <= capacity;
  }
  [[nodiscard]] constexpr CHANNELS_DEVICE std::size_t control_bytes() const {
    return detail::round_up(std::size_t{2} * capacity * sizeof(std::uint64_t), cache_line);
  }
  [[nodiscard]] constexpr CHANNELS_DEVICE std::size_t done_bytes() const {
    return detail::round_up(capacity / done_group * sizeof(std::uint32_t), cache_line);
  }
  /// Bytes of a whole channel whose data array takes `data_bytes`. An allocation-only channel has
  /// no control array.
  [[nodiscard]] constexpr CHANNELS_DEVICE std::size_t bytes(std::size_t data_bytes,
                                                            bool control = true) const {
    return sizeof(detail::channel_counters) + (control ? control_bytes() : 0) + done_bytes() +
           data_bytes;
  }
};

}  // namespace channels
