#pragma once

#include "channels/detail/batch.hpp"
#include "channels/gpu/channels/batch.hpp"

/// How a batch is written down in a message of 32-bit words: a head, the runs of its elements, and
/// a window for each output of its kernel node. Two messages are written so: the announcement of
/// the device aggregator (announcement.hpp), and the message of the host to the small-batch worker
/// (small_batch_worker.hpp). The host and the device call these functions, for their own memory:
/// they order nothing.
namespace channels::gpu::detail {

/// A value of 64 bits in two words, the lower first.
[[nodiscard]] CHANNELS_INLINE CHANNELS_DEVICE std::uint64_t read_long(const std::uint32_t* words) {
  return words[0] | std::uint64_t{words[1]} << 32U;
}
CHANNELS_INLINE CHANNELS_DEVICE void write_long(std::uint32_t* words, std::uint64_t value) {
  words[0] = static_cast<std::uint32_t>(value);
  words[1] = static_cast<std::uint32_t>(value >> 32U);
}
/// A pointer, likewise.
template <class T>
[[nodiscard]] CHANNELS_INLINE CHANNELS_DEVICE T* read_pointer(const std::uint32_t* words) {
  return reinterpret_cast<T*>(read_long(words));
}
template <class T>
CHANNELS_INLINE CHANNELS_DEVICE void write_pointer(std::uint32_t* words, T* value) {
  write_long(words, reinterpret_cast<std::uintptr_t>(value));
}

/// The head's words that both messages have. Each message's own words follow.
struct batch_head {
  enum word : std::uint32_t { node, level, elements, runs, slot, own };
  /// Instead of a node: there is no batch, and the reader leaves.
  static constexpr std::uint32_t over = ~std::uint32_t{0};
};

/// A window whose channel the reader looks up by its number: what both sides know is not sent.
struct numbered_window {
  /// Instead of a channel: the output has none.
  static constexpr std::uint32_t no_channel = ~std::uint32_t{0};
  static constexpr std::uint32_t words = 4;

  std::uint32_t channel;
  std::uint32_t count;  ///< elements
  std::uint64_t first;  ///< ticket

  [[nodiscard]] CHANNELS_INLINE CHANNELS_DEVICE static numbered_window read(
      const std::uint32_t* from) {
    return {from[0], from[1], read_long(from + 2)};
  }
  CHANNELS_INLINE CHANNELS_DEVICE void write(std::uint32_t* to) const {
    to[0] = channel;
    to[1] = count;
    write_long(to + 2, first);
  }
};

/// A window with all that its channel is, for a reader that knows no channels.
struct whole_window {
  static constexpr std::uint32_t words = 7;

  window value;

  [[nodiscard]] CHANNELS_INLINE CHANNELS_DEVICE static whole_window read(
      const std::uint32_t* from) {
    return {{read_pointer<std::byte>(from), read_long(from + 2), from[4], from[5], from[6]}};
  }
  CHANNELS_INLINE CHANNELS_DEVICE void write(std::uint32_t* to) const {
    write_pointer(to, value.data);
    write_long(to + 2, value.first);
    to[4] = value.count;
    to[5] = value.mask;
    to[6] = value.channel;
  }
};

/// Where a message with a head of `Head` words has its runs and windows. `Window` is how it writes
/// windows down. `runs` is the number of runs that the message has places for: the announcement has
/// always as many as there may be, so that its reader can read all of them before it knows how many
/// mean anything; the other message has as many as the batch, and is one line shorter mostly.
template <class Window, std::uint32_t Head>
struct batch_words {
  static constexpr std::uint32_t run_words = 3;

  [[nodiscard]] CHANNELS_INLINE CHANNELS_DEVICE static constexpr std::uint32_t run_at(
      std::uint32_t i) {
    return Head + run_words * i;
  }
  [[nodiscard]] CHANNELS_INLINE CHANNELS_DEVICE static constexpr std::uint32_t window_at(
      std::uint32_t runs, std::uint32_t i) {
    return run_at(runs) + Window::words * i;
  }
  /// Words of a message with so many runs and windows.
  [[nodiscard]] CHANNELS_INLINE CHANNELS_DEVICE static constexpr std::uint32_t size(
      std::uint32_t runs, std::uint32_t outputs) {
    return window_at(runs, outputs);
  }

  [[nodiscard]] CHANNELS_INLINE CHANNELS_DEVICE static run read_run(const std::uint32_t* message,
                                                                    std::uint32_t i) {
    const std::uint32_t* const from = message + run_at(i);
    return {read_long(from), from[2]};
  }
  CHANNELS_INLINE CHANNELS_DEVICE static void write_run(std::uint32_t* message, std::uint32_t i,
                                                        const run& r) {
    std::uint32_t* const to = message + run_at(i);
    write_long(to, r.first);
    to[2] = r.count;
  }
  [[nodiscard]] CHANNELS_INLINE CHANNELS_DEVICE static Window read_window(
      const std::uint32_t* message, std::uint32_t runs, std::uint32_t i) {
    return Window::read(message + window_at(runs, i));
  }
  CHANNELS_INLINE CHANNELS_DEVICE static void write_window(std::uint32_t* message,
                                                           std::uint32_t runs, std::uint32_t i,
                                                           const Window& w) {
    w.write(message + window_at(runs, i));
  }
};

}  // namespace channels::gpu::detail
