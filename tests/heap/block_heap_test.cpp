#include "runtime/heap/block_heap.hpp"

#include <gtest/gtest.h>

#include <algorithm>  // fill, all_of, min, sort
#include <cstring>    // memset
#include <random>     // mt19937
#include <thread>     // thread
#include <utility>    // exchange
#include <vector>     // vector

#include "channels/detail/heap_arena.hpp"

namespace channels::heap {
namespace {

struct taken {
  unsigned char* block;
  std::size_t bytes;
  unsigned char mark;
};

bool is_whole(const taken& one) {
  return std::all_of(one.block, one.block + one.bytes,
                     [&](unsigned char c) { return c == one.mark; });
}

TEST(block_heap, blocks_do_not_overlap_and_all_memory_comes_back) {
  constexpr std::size_t size = std::size_t{1} << 20U;
  alignas(64) static unsigned char memory[2][size];
  for (const unsigned seed : {1U, 2U, 3U}) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    block_heap heap;
    heap.add(memory[0], size);
    heap.add(memory[1], size);
    std::vector<taken> all;
    std::size_t refused = 0;
    for (unsigned i = 0; i < 20'000; ++i) {
      if (random() % 5 < 3) {
        const std::size_t bytes = random() % 8 == 0 ? random() % 60'000 : random() % 700;
        const std::size_t aligned = std::size_t{16} << (random() % 4 == 0 ? random() % 9 : 0);
        auto* const block = static_cast<unsigned char*>(heap.take(bytes, aligned));
        if (block == nullptr) {
          ++refused;
          continue;
        }
        ASSERT_EQ(reinterpret_cast<std::uintptr_t>(block) % aligned, 0U);
        ASSERT_GE(block_heap::size_of(block), bytes);
        const auto mark = static_cast<unsigned char>(i);
        std::memset(block, mark, bytes);
        all.push_back({block, bytes, mark});
      } else if (!all.empty()) {
        std::swap(all[random() % all.size()], all.back());
        ASSERT_TRUE(is_whole(all.back()));
        heap.give_back(all.back().block);
        all.pop_back();
      }
    }
    EXPECT_GT(refused, 0U) << "it was never full";
    for (const taken& one : all) {
      ASSERT_TRUE(is_whole(one));
      heap.give_back(one.block);
    }
    // Joined again: one block of nearly each chunk.
    EXPECT_NE(heap.take(size / 100 * 95), nullptr);
    EXPECT_NE(heap.take(size / 100 * 95), nullptr);
    EXPECT_EQ(heap.take(size / 2), nullptr);
  }
}

TEST(block_heap, refuses_what_cannot_be) {
  alignas(16) static unsigned char memory[4096];
  block_heap heap;
  EXPECT_EQ(heap.take(1), nullptr);
  heap.add(memory, sizeof memory);
  EXPECT_EQ(heap.take(~std::size_t{0}), nullptr);
  EXPECT_EQ(heap.take(16, std::size_t{1} << 60U), nullptr);
  EXPECT_EQ(heap.take(sizeof memory), nullptr);
  EXPECT_NE(heap.take(0), nullptr);
}

struct cpu {
  static std::uint64_t load(const std::uint64_t* word) {
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
  }
  static std::uint64_t peek(const std::uint64_t* word) {
    return __atomic_load_n(word, __ATOMIC_RELAXED);
  }
  static std::uint64_t add(std::uint64_t* word, std::uint64_t value) {
    return __atomic_fetch_add(word, value, __ATOMIC_RELAXED);
  }
  static bool take(std::uint64_t* word, std::uint64_t expected, std::uint64_t desired) {
    return __atomic_compare_exchange_n(word, &expected, desired, false, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED);
  }
  static bool give(std::uint64_t* word, std::uint64_t expected, std::uint64_t desired) {
    return __atomic_compare_exchange_n(word, &expected, desired, false, __ATOMIC_RELEASE,
                                       __ATOMIC_RELAXED);
  }
  static inline thread_local std::uint64_t list = 0;
  static std::uint64_t list_of(std::uint64_t /*place*/) { return list; }
};

/// The memory's arena, with `lists` of each small size.
arena* make_arena(std::vector<std::uint64_t>& memory, std::uint64_t lists) {
  auto* const all = reinterpret_cast<arena*>(memory.data());
  all->units = memory.size() * 8 / arena::unit;
  all->list_mask = lists - 1;
  return all;
}

class arena_of_lists : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(arena, arena_of_lists, testing::Values(1, 2, 16));

TEST_P(arena_of_lists, blocks_of_several_threads_do_not_overlap) {
  std::vector<std::uint64_t> memory((std::size_t{8} << 20U) / 8);
  arena* const all = make_arena(memory, GetParam());
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(t);
      cpu::list = t;
      std::vector<taken> own;
      for (unsigned i = 0; i < 20'000; ++i) {
        if (random() % 2 == 0 && own.size() < 200) {
          const std::size_t bytes = random() % 2000;
          auto* const block = static_cast<unsigned char*>(all->take<cpu>(bytes));
          if (block == nullptr || all->size_of(block) < bytes ||
              reinterpret_cast<std::uintptr_t>(block) % 16 != 0) {
            ++wrong[t];
            continue;
          }
          std::memset(block, static_cast<int>(t), bytes);
          own.push_back({block, bytes, static_cast<unsigned char>(t)});
        } else if (!own.empty()) {
          std::swap(own[random() % own.size()], own.back());
          if (!is_whole(own.back())) ++wrong[t];
          all->give_back<cpu>(own.back().block);
          own.pop_back();
        }
      }
    });
  }
  for (std::thread& one : threads) one.join();
  EXPECT_EQ(wrong, std::vector<int>(4));
}

/// What gets an aligned place finds the block's end and its list.
TEST(arena, aligned_places_have_their_blocks) {
  std::vector<std::uint64_t> memory((std::size_t{1} << 20U) / 8);
  arena* const all = make_arena(memory, 1);
  std::mt19937 random(11);
  std::vector<taken> own;
  for (int round = 0; round < 3000; ++round) {
    const std::uint64_t alignment = std::uint64_t{32} << random() % 6;
    const std::uint64_t bytes = 1 + random() % 300;
    auto* const place =
        static_cast<unsigned char*>(all->aligned(all->take<cpu>(bytes + alignment), alignment));
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(place) % alignment, 0U);
    ASSERT_GE(all->size_of(place), bytes);
    const auto mark = static_cast<unsigned char>(random());
    std::memset(place, mark, all->size_of(place));
    own.push_back({place, all->size_of(place), mark});
    if (own.size() < 100) continue;
    const std::size_t gone = random() % own.size();
    ASSERT_TRUE(is_whole(own[gone]));
    all->give_back<cpu>(own[gone].block);
    own.erase(own.begin() + static_cast<std::ptrdiff_t>(gone));
  }
  for (const taken& one : own) all->give_back<cpu>(one.block);
  all->join();
  EXPECT_EQ(all->used, 0U);
}

/// Blocks of any sizes make room for blocks of all others.
TEST_P(arena_of_lists, joins_free_blocks) {
  std::vector<std::uint64_t> memory((std::size_t{1} << 20U) / 8);
  arena* const all = make_arena(memory, GetParam());
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    std::vector<taken> own;
    const std::size_t most = std::size_t{1} << (5 + random() % 12);
    while (auto* const block = static_cast<unsigned char*>(all->take<cpu>(random() % most))) {
      const std::uint64_t bytes = all->size_of(block);
      const auto mark = static_cast<unsigned char>(random());
      std::memset(block, mark, bytes);
      own.push_back({block, bytes, mark});
    }
    // All but some, which stay what they are.
    std::vector<taken> kept;
    for (const taken& one : own) {
      if (random() % 64 == 0 && one.bytes > 0) {
        kept.push_back(one);
      } else {
        all->give_back<cpu>(one.block);
      }
    }
    all->join();
    for (int i = 0; i < 100; ++i) {
      const std::uint64_t bytes = random() % 500;
      auto* block = static_cast<unsigned char*>(all->take<cpu>(bytes));
      if (block == nullptr) block = static_cast<unsigned char*>(all->take_larger<cpu>(bytes));
      ASSERT_NE(block, nullptr);
      ASSERT_GE(all->size_of(block), bytes);
      std::memset(block, 0xff, all->size_of(block));
      all->give_back<cpu>(block);
    }
    for (const taken& one : kept) {
      ASSERT_TRUE(is_whole(one));
      ASSERT_EQ(all->size_of(one.block), one.bytes);
      all->give_back<cpu>(one.block);
    }
    all->join();
    // Nothing is left: it is as it was at first.
    ASSERT_EQ(all->used, 0U);
    void* const whole = all->take<cpu>(memory.size() * 8 * 3 / 4);
    ASSERT_NE(whole, nullptr);
    all->give_back<cpu>(whole);
    all->join();
  }
}

TEST(arena, is_full_at_its_end_and_takes_back) {
  std::vector<std::uint64_t> memory(65536 / 8);
  arena* const all = make_arena(memory, 1);
  std::vector<void*> blocks;
  while (void* const block = all->take<cpu>(1000)) {
    EXPECT_LE(static_cast<char*>(block) + all->size_of(block),
              reinterpret_cast<char*>(memory.data() + memory.size()));
    blocks.push_back(block);
  }
  EXPECT_GT(blocks.size(), 50U);
  EXPECT_EQ(all->take<cpu>(std::uint64_t{1} << 50U), nullptr);
  all->give_back<cpu>(blocks.back());
  EXPECT_EQ(all->take<cpu>(990), blocks.back());
}

/// Blocks of others that several threads give back are kept, as many as there is room for. One
/// thread learns that there are some.
TEST(arena, keeps_blocks_of_others) {
  constexpr unsigned each = 300;
  for (const std::uint64_t room : {std::uint64_t{5000}, std::uint64_t{1000}, std::uint64_t{0}}) {
    std::vector<std::uint64_t> memory(65536 / 8);
    arena* const all = make_arena(memory, 1);
    std::vector<void*> kept(room);
    all->most_others = room;
    all->blocks_of_others = kept.data();
    std::vector<char> others(4 * std::size_t{each});
    std::vector<int> first(4);
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (unsigned i = 0; i < each; ++i)
          first[t] += all->keep<cpu>(&others[t * each + i]) ? 1 : 0;
      });
    }
    for (std::thread& one : threads) one.join();
    EXPECT_EQ(first[0] + first[1] + first[2] + first[3], room == 0 ? 0 : 1);
    const std::uint64_t count = std::min<std::uint64_t>(room, 4 * each);
    EXPECT_GE(all->others, count);
    std::sort(kept.begin(), kept.begin() + static_cast<long>(count));
    for (std::uint64_t i = 0; i < count; ++i) {
      EXPECT_TRUE(all->holds(kept[i]) == false && kept[i] >= others.data() &&
                  kept[i] < others.data() + others.size());
      EXPECT_TRUE(i == 0 || kept[i - 1] != kept[i]);
    }
  }
}

/// What one thread gives back another finds, although its list is empty and nothing new is left.
TEST_P(arena_of_lists, finds_what_others_gave_back) {
  std::vector<std::uint64_t> memory(std::size_t{65536} * 2 / 8);
  arena* const all = make_arena(memory, GetParam());
  std::vector<void*> blocks;
  while (void* const block = all->take<cpu>(1000)) blocks.push_back(block);
  EXPECT_GT(blocks.size(), 50U);
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    std::uint64_t changes = all->changes<cpu>();
    for (void* const block : blocks) {
      cpu::list = random();
      all->give_back<cpu>(block);
      EXPECT_NE(all->changes<cpu>(), std::exchange(changes, all->changes<cpu>()));
    }
    const std::size_t count = std::exchange(blocks, {}).size();
    for (;;) {
      cpu::list = random();
      void* const block = all->take<cpu>(1000);
      if (block == nullptr) break;
      blocks.push_back(block);
    }
    EXPECT_EQ(blocks.size(), count);
  }
  all->give_back<cpu>(blocks.back());
  EXPECT_EQ(all->take_larger<cpu>(10), blocks.back());
}

}  // namespace
}  // namespace channels::heap
