#pragma once

#include <gtest/gtest.h>

#include <atomic>   // atomic
#include <chrono>   // microseconds
#include <cstdint>  // uint64_t
#include <thread>   // jthread
#include <vector>   // vector

#include "channels/channel.hpp"
#include "tests/channel/seed.hpp"

namespace channels::testing {

/// At random steps a thread lets others go first, spins, or sleeps for longer than a lap takes.
struct delayed_protocol : channel_protocol {
  static inline std::atomic<std::uint64_t> seed = 0;

  static void at(protocol_step /*step*/) {
    thread_local dice d(seed.fetch_add(1, std::memory_order_relaxed));
    switch (d.from(0, 999)) {
      case 0: return std::this_thread::sleep_for(std::chrono::microseconds(d.from(1, 50)));
      case 1:
      case 2: return std::this_thread::yield();
      default:
        if (!d.once_in(16)) return;
        for (int spin = d.from(0, 200); spin > 0; --spin) {
          std::atomic_signal_fence(std::memory_order_seq_cst);  // keeps the empty loop
        }
    }
  }
};

struct exchange_shape {
  std::uint32_t capacity;
  std::uint32_t done_group;
  std::uint32_t producers;
  std::uint32_t consumers;
  std::uint32_t longest_run;
  std::uint32_t elements;  ///< from each producer
};

/// Threads that run freely: producers enqueue numbered elements in runs, consumers take them, all
/// of them reclaim. Checks that each element comes out once, as it was written, and that nothing is
/// left.
template <class Protocol, class Element>
void exchange(std::uint64_t seed, const exchange_shape& shape) {
  channel<Element, Protocol> c(shape.capacity, {.done_group = shape.done_group});
  const std::uint64_t total = std::uint64_t{shape.producers} * shape.elements;
  std::atomic<std::uint64_t> left = total;
  std::vector<std::vector<Element>> taken(shape.consumers);
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t me = 0; me < shape.producers; ++me) {
      threads.emplace_back([&, me, d = dice(seed + me)]() mutable {
        for (std::uint32_t sent = 0; sent < shape.elements;) {
          const auto most = d.from(1U, std::min(shape.longest_run, shape.elements - sent));
          const auto r = c.talloc_between(1, most);
          if (!r) std::this_thread::yield();
          for (std::uint32_t i = 0; i < r.count; ++i) c.set(r, i, Element::make(me, sent++));
          c.enq(r);
        }
      });
    }
    for (auto& mine : taken) {
      threads.emplace_back([&] {
        while (left.load(std::memory_order_relaxed) != 0) {
          const auto r = c.deq();
          if (!r) std::this_thread::yield();
          for (std::uint32_t i = 0; i < r.count; ++i) mine.push_back(c.get(r, i));
          c.tfree(r);
          left.fetch_sub(r.count, std::memory_order_relaxed);
        }
      });
    }
  }

  std::vector<std::vector<char>> seen(shape.producers, std::vector<char>(shape.elements, 0));
  for (const auto& mine : taken) {
    std::vector<std::int64_t> last(shape.producers, -1);
    for (const Element& e : mine) {
      ASSERT_TRUE(e.intact());
      ASSERT_EQ(seen.at(e.producer).at(e.number)++, 0) << "an element came out twice";
      // What one producer has enqueued, one consumer takes in that order.
      ASSERT_LT(last[e.producer], std::int64_t{e.number});
      last[e.producer] = e.number;
    }
  }
  for (const auto& of_producer : seen) {
    for (const char once : of_producer) ASSERT_EQ(once, 1) << "an element was lost";
  }
  c.reclaim();
  EXPECT_EQ(c.live(), 0U);
  EXPECT_GE(c.view().reserved(), total);
}

/// An element as a record.
struct record {
  std::uint32_t producer, number;
  std::uint64_t check;

  static record make(std::uint32_t producer, std::uint32_t number) {
    return {producer, number, ~(std::uint64_t{producer} << 32U | number)};
  }
  [[nodiscard]] bool intact() const { return check == make(producer, number).check; }
};

/// The same by field.
struct fielded : record {
  using channel_fields = fields<&fielded::producer, &fielded::number, &fielded::check>;

  static fielded make(std::uint32_t producer, std::uint32_t number) {
    return {record::make(producer, number)};
  }
};

}  // namespace channels::testing
