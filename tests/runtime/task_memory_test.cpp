// Memory that tasks allocate besides their frames: arrays of variable length, alloca.

#include <gtest/gtest.h>

#include <algorithm>  // fill

#include "runtime/host_device/task_memory.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/tasks.hpp"

namespace channels::testing {
namespace {

/// Allocates pieces of `bytes` until it has `pieces`, and returns how many there are.
struct hoarder {
  static constexpr const char* name = "hoarder";
  using result_type = int;
  struct arguments {
    int pieces;
    std::size_t bytes;
  };
  struct frame {
    int have, pieces;
    std::size_t bytes;
  };
  using spawns = task_list<>;
  static constexpr std::uint32_t spawn_bound = 0;
  static constexpr bool allocates = true;

  template <class Lane>
  static outcome enter(Lane& lane, const arguments& a) {
    frame* const f = lane.open();
    if (f == nullptr) return lane.retry();
    *f = {0, a.pieces, a.bytes};
    return resume(lane, *f, 1);
  }
  template <class Lane>
  static outcome resume(Lane& lane, frame& f, std::uint32_t /*point*/) {
    for (; f.have < f.pieces; ++f.have) {
      auto* const room = static_cast<char*>(lane.allocate(f.bytes));
      if (room == nullptr) return lane.yield(1);
      if (reinterpret_cast<std::uintptr_t>(room) % 16 != 0) return lane.finish(-1);
      std::fill(room, room + f.bytes, 'x');
    }
    return lane.finish(f.have);
  }
};

/// Many hoarders at once.
struct hoarders {
  static constexpr const char* name = "hoarders";
  using result_type = int;
  struct arguments {
    int children, pieces;
    std::size_t bytes;
  };
  struct frame {
    int children, pieces, next;
    std::size_t bytes;
    int have[64];
  };
  using spawns = task_list<hoarder>;
  static constexpr std::uint32_t spawn_bound = unbounded;

  template <class Lane>
  static outcome enter(Lane& lane, const arguments& a) {
    frame* const f = lane.open();
    if (f == nullptr) return lane.retry();
    f->children = a.children;
    f->pieces = a.pieces;
    f->bytes = a.bytes;
    f->next = 0;
    return resume(lane, *f, 1);
  }
  template <class Lane>
  static outcome resume(Lane& lane, frame& f, std::uint32_t point) {
    if (point == 1) {
      for (; f.next < f.children; ++f.next) {
        if (!lane.template spawn<hoarder>(&f.have[f.next], {f.pieces, f.bytes}))
          return lane.yield(1);
      }
      return lane.sync(2);
    }
    int sum = 0;
    for (int i = 0; i < f.children; ++i) sum += f.have[i];
    return lane.finish(sum);
  }
};

class tasks_memory : public ::testing::TestWithParam<readiness> {};

TEST_P(tasks_memory, changes_nothing_but_the_time_whatever_the_settings) {
  for_each_seed(scaled(100), [](std::uint64_t seed) {
    dice d(seed);
    settings s = random_shape(d);
    s.rule = GetParam();
    runtime on(s);
    SCOPED_TRACE(::testing::Message() << s);
    EXPECT_EQ(call<alloca_queens>(on, {6, 0, nullptr}), 4);
    EXPECT_EQ(call<alloca_queens>(on, {7, 0, nullptr}), 40);
  });
}

TEST_P(tasks_memory, goes_to_one_task_after_the_other_where_it_is_not_enough_for_all) {
  for (const unsigned units : {1U, 2U, 4U}) {
    settings s = with_units(units, GetParam());
    s.memory = 2 * (std::uint64_t{64} << 10U);
    runtime on(s);
    // Each needs all but a few bytes of the half that only the first frame may have.
    EXPECT_EQ(call<hoarders>(on, {60, 30, 1000}), 60 * 30);
    EXPECT_GT(on.last_run().work.yields, 0U) << "the test is to run out of memory";
    for (std::size_t bytes = 1; bytes < 40; ++bytes)
      EXPECT_EQ(call<hoarder>(on, {7, bytes}), 7) << "aligned, whatever the size";
    EXPECT_EQ(call<hoarder>(on, {0, 0}), 0);
    EXPECT_EQ(call<hoarder>(on, {3, 0}), 3) << "nothing is memory too";
  }
}

TEST_P(tasks_memory, that_no_task_can_have_is_an_error_that_names_task_and_setting) {
  settings s = with_units(2, GetParam());
  s.memory = std::uint64_t{1} << 20U;
  runtime on(s);
  expect_error([&] { (void)call<hoarder>(on, {100, 10'000}); },
               {"hoarder", "level 0", "10000 bytes", "CHANNELS_MEMORY"});
  expect_error([&] { (void)call<hoarder>(on, {1, ~std::size_t{0}}); }, {"CHANNELS_MEMORY"});
  expect_error([&] { (void)call<hoarders>(on, {10, 2, 300'000}); },
               {"hoarder", "level 1", "300000 bytes", "CHANNELS_MEMORY"});
  // The runs before have given back what they took.
  EXPECT_EQ(call<hoarder>(on, {40, 10'000}), 40);
}

TEST_P(tasks_memory, of_the_stated_minimum_is_enough) {
  for (const double forced : {0.0, 0.5}) {
    settings s = with_units(2, GetParam());
    s.force_yield = forced;
    s.memory = minimum_memory<alloca_queens>(s, 8);
    runtime on(s);
    EXPECT_EQ(call<alloca_queens>(on, {7, 0, nullptr}), 40);
  }
}

INSTANTIATE_TEST_SUITE_P(rules, tasks_memory,
                         ::testing::Values(readiness::levelized, readiness::counted),
                         [](const auto& given) {
                           return given.param == readiness::counted ? "counted" : "levelized";
                         });

TEST(task_memory_books, have_a_half_for_anybody_and_one_for_the_first_of_each_level) {
  constexpr std::size_t piece = 96 - sizeof(host::allocated_block);
  host::task_memory memory(960);
  host::allocated_blocks first{};
  host::allocated_blocks second{};
  host::allocated_blocks deeper{};
  for (int i = 0; i < 5; ++i) EXPECT_NE(memory.allocate(second, piece, 3, "t"), nullptr);
  EXPECT_NE(memory.allocate(first, piece, 3, "t"), nullptr);
  EXPECT_EQ(memory.allocate(second, piece, 3, "t"), nullptr) << "first of level 3 is another";
  EXPECT_EQ(memory.failure(), "") << "a frame that is not the first only waits";
  for (int i = 0; i < 4; ++i) EXPECT_NE(memory.allocate(deeper, piece, 4, "t"), nullptr);
  EXPECT_EQ(memory.allocate(first, piece, 3, "t"), nullptr);
  EXPECT_NE(memory.failure().find("level 3"), std::string::npos);
  memory.release(deeper);
  EXPECT_EQ(memory.releases(), 1U);
  EXPECT_NE(memory.allocate(first, piece, 3, "t"), nullptr);
  EXPECT_EQ(memory.failure(), "");
  memory.release(first);
  EXPECT_NE(memory.allocate(second, piece, 3, "t"), nullptr) << "now it is the first";
}

}  // namespace
}  // namespace channels::testing
