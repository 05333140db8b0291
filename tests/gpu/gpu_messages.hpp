#pragma once

#include <cstdint>  // fixed-width integers
#include <utility>  // pair

#include "channels/gpu/active_messages/messenger.hpp"

/// Senders and handlers of the tests of messages between GPUs, emulated or not.
namespace gpu_messages {

using channels::gpu::message_place;
using channels::gpu::slices;

/// A number that looks random.
CHANNELS_DEVICE inline std::uint64_t scramble(std::uint64_t x) {
  x = (x ^ x >> 33U) * 0xff51afd7ed558ccdU;
  x = (x ^ x >> 33U) * 0xc4ceb9fe1a85ec53U;
  return x ^ x >> 33U;
}

/// Messages of `Words` words, each of which says who it is.
template <unsigned Words>
struct wide {
  std::uint32_t data[Words];
};
template <unsigned Words>
CHANNELS_DEVICE wide<Words> wide_of(std::uint64_t item) {
  wide<Words> made{};
  for (unsigned i = 0; i < Words; ++i)
    made.data[i] = static_cast<std::uint32_t>(item * (2 * i + 1));
  return made;
}

/// An item sends itself to the place that has its mark.
template <unsigned Words>
struct mark_all {
  slices<std::uint32_t> marks;
  template <class Out>
  CHANNELS_DEVICE void operator()(Out& out, std::uint64_t item) const {
    out.send(marks.owner(scramble(item) % size), wide_of<Words>(item));
  }
  std::uint64_t size;
};
template <unsigned Words>
struct mark {
  slices<std::uint32_t> marks;  ///< one for each item: how often it has come
  slices<std::uint32_t> wrong;  ///< the first counts what should not have come, or not there
  std::uint64_t size;
  CHANNELS_DEVICE void operator()(message_place at, const wide<Words>& message) const {
    const std::uint64_t item = message.data[0];
    bool right = item < size && at.here == marks.owner(scramble(item) % size);
    for (unsigned i = 0; i < Words; ++i)
      right = right && message.data[i] == wide_of<Words>(item).data[i];
    if (right) {
      marks.increment(item);
    } else {
      wrong.increment(0);
    }
  }
};

/// Lanes that go their own ways: of 20 items one sends, some several messages, to all places in
/// turn.
struct send_seldom {
  template <class Out>
  CHANNELS_DEVICE void operator()(Out& out, std::uint64_t item) const {
    if (item % 20 != 3) return;
    for (std::uint64_t i = 0; i < item / 20 % 5; ++i) {
      if (item % 40 == 3) {
        out.send(static_cast<std::uint32_t>((item + i) % out.places()), item);
      } else {
        out.send((out.here() + 1) % out.places(), item + i);
      }
    }
  }
};
struct add_up {
  slices<std::uint64_t> sums;  ///< of numbers, and how many there were
  CHANNELS_DEVICE void operator()(message_place /*at*/, std::uint64_t number) const {
    sums.increment(0, number);
    sums.increment(1);
  }
};
/// What `send_seldom` makes of so many items.
inline std::pair<std::uint64_t, std::uint64_t> sums_of_seldom(std::uint64_t items) {
  std::uint64_t sum = 0;
  std::uint64_t count = 0;
  for (std::uint64_t item = 3; item < items; item += 20) {
    for (std::uint64_t i = 0; i < item / 20 % 5; ++i) {
      sum += item % 40 == 3 ? item : item + i;
      ++count;
    }
  }
  return {sum, count};
}

/// All items go to one place.
struct send_to_last {
  template <class Out>
  CHANNELS_DEVICE void operator()(Out& out, std::uint64_t item) const {
    out.send(out.places() - 1, item);
  }
};

/// Writes and adds to elements of all places without messages.
struct put_and_increment {
  slices<std::uint32_t> numbers;  ///< each is put once
  slices<std::uint32_t> count;
  template <class Out>
  CHANNELS_DEVICE void operator()(Out& /*out*/, std::uint64_t item) const {
    numbers.put(item, static_cast<std::uint32_t>(item) + 7);
    count.increment(item % 3);
  }
};

/// Takes 40 ms for each item.
struct send_slowly {
  template <class Out>
  CHANNELS_GPU_INLINE void operator()(Out& out, std::uint64_t i) const {
    const std::uint64_t began = channels::gpu::detail::clock_ns();
    while (channels::gpu::detail::clock_ns() - began < 40'000'000) channels::gpu::detail::nap();
    out.send((out.here() + 1) % out.places(), i);
  }
};

/// A handler that never returns for one message.
struct never_returns {
  CHANNELS_DEVICE void operator()(message_place /*at*/, std::uint64_t number) const {
    const volatile std::uint64_t word = number;
    while (word == 5) {
    }
  }
};

}  // namespace gpu_messages
