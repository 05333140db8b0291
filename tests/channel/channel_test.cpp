// What a channel promises to one caller.

#include "channels/channel.hpp"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <algorithm>  // count
#include <array>      // array
#include <cstddef>    // byte, max_align_t
#include <cstdint>    // uint64_t
#include <memory>     // align
#include <vector>     // vector

namespace channels::testing {
namespace {

struct point {
  std::int32_t x, y;
};

template <class T>
std::vector<T> take_all(channel<T>& c) {
  std::vector<T> all;
  while (auto r = c.deq()) {
    for (std::uint32_t i = 0; i < r.count; ++i) all.push_back(c.get(r, i));
    c.tfree(r);
  }
  return all;
}

TEST(channel, several_elements_go_through_together) {
  channel<point> c(8);
  const auto r = c.talloc(3);
  ASSERT_EQ(r.count, 3U);
  for (std::uint32_t i = 0; i < 3; ++i) c.set(r, i, {static_cast<int>(i), -1});
  c.enq(r);
  const auto taken = c.deq();
  ASSERT_EQ(taken.count, 3U);
  EXPECT_EQ(c.get(taken, 2).x, 2);
  EXPECT_FALSE(c.deq());
}

TEST(channel, capacity_is_the_next_power_of_two) {
  EXPECT_EQ(channel<int>(1).capacity(), 1U);
  EXPECT_EQ(channel<int>(2).capacity(), 2U);
  EXPECT_EQ(channel<int>(3).capacity(), 4U);
  EXPECT_EQ(channel<int>(1000).capacity(), 1024U);
}

TEST(channel, wrong_capacities_and_groups_are_named) {
  EXPECT_THROW(channel<int>(0), error);
  EXPECT_THROW(channel<char>(std::uint64_t{channel_geometry::largest_capacity} + 1), error);
  EXPECT_THROW(channel<int>(64, {.done_group = 3}), error);
  EXPECT_THROW(channel<int>(64, {.done_group = 0}), error);
  try {
    channel<int> c(64, {.done_group = 48});
    FAIL();
  } catch (const error& e) {
    EXPECT_NE(std::string(e.what()).find("48"), std::string::npos);
  }
}

TEST(channel, done_group_is_at_most_the_capacity) {
  EXPECT_EQ(channel<int>(4, {.done_group = 64}).view().done_group(), 4U);
}

TEST(channel, full_is_reported_and_reserves_nothing) {
  channel<int> c(4);
  const auto r = c.talloc(3);
  ASSERT_TRUE(r);
  EXPECT_FALSE(c.talloc(2));
  EXPECT_EQ(c.live(), 3U);
  EXPECT_TRUE(c.talloc(1));
  EXPECT_FALSE(c.talloc(1));
  EXPECT_FALSE(c.talloc(5)) << "more than there will ever be";
}

TEST(channel, nothing_is_reserved_for_nothing) {
  channel<int> c(4);
  EXPECT_FALSE(c.talloc(0));
  EXPECT_FALSE(c.talloc_between(0, 0));
  EXPECT_FALSE(c.talloc_contiguous(0));
  EXPECT_EQ(c.live(), 0U);
}

TEST(channel, block_is_as_large_as_the_room) {
  channel<int> c(8);
  ASSERT_TRUE(c.talloc(5));
  EXPECT_FALSE(c.talloc_between(4, 100));
  EXPECT_EQ(c.talloc_between(1, 100).count, 3U);
}

TEST(channel, unused_end_of_a_block_is_available_at_once) {
  channel<int> c(8);
  const auto block = c.talloc(8);
  c.view().give_back({block.first + 2, 6});
  EXPECT_EQ(c.live(), 2U);
  EXPECT_EQ(c.talloc(6).first, block.first + 2);
}

TEST(channel, unused_middle_of_the_channel_waits_for_its_turn) {
  channel<int> c(8, {.done_group = 1});
  const auto block = c.talloc(4);
  ASSERT_TRUE(c.talloc(4));
  c.view().give_back({block.first + 2, 2});
  c.reclaim();
  EXPECT_EQ(c.live(), 8U);
  c.tfree({{block.first, 2}, &c});
  c.reclaim();
  EXPECT_EQ(c.live(), 4U);
}

// The head stops at an element that is not done, whatever is done behind it.
TEST(channel, space_is_reclaimed_in_order) {
  channel<int> c(4, {.done_group = 1});
  const std::array rs{c.talloc(1), c.talloc(1), c.talloc(1), c.talloc(1)};
  c.tfree(rs[1]);
  c.tfree(rs[2]);
  c.reclaim();
  EXPECT_EQ(c.live(), 4U);
  EXPECT_FALSE(c.talloc(1));
  c.tfree(rs[0]);
  c.reclaim();
  EXPECT_EQ(c.live(), 1U);
}

// Ticket 2 is in the place of ticket 0, and shares a done count with it: freeing it must not count
// for ticket 1, which lies in the lap before.
TEST(channel, next_lap_of_a_group_does_not_count_for_this_one) {
  channel<int> c(2, {.done_group = 2});
  c.tfree(c.talloc(1));
  c.reclaim();
  const auto r = c.talloc(2);
  ASSERT_EQ(r.count, 2U);
  c.tfree({{r.first + 1, 1}, &c});
  c.reclaim();
  EXPECT_FALSE(c.talloc(1)) << "the other element of the run is still in use";
  EXPECT_EQ(c.live(), 2U);
}

TEST(channel, idle_channel_has_room_for_all) {
  for (std::uint32_t group = 1; group <= 64; group *= 2) {
    channel<int> c(64, {.done_group = group});
    for (std::uint32_t n = 1; n < 64; n += 7) {
      c.tfree(c.talloc(n));
      const auto all = c.talloc(64);
      EXPECT_EQ(all.count, 64U);
      c.tfree(all);
    }
  }
}

/// That all has been freed, which all tests of loss rely on.
template <class T>
void expect_drained(channel<T>& c) {
  c.reclaim();
  EXPECT_EQ(c.live(), 0U);
}

TEST(channel, one_dropped_done_increment_is_noticed) {
  channel<int> c(8, {.done_group = 4});
  const auto r = c.talloc(8);
  c.tfree({{r.first, 7}, &c});
  EXPECT_NONFATAL_FAILURE(expect_drained(c), "c.live()");
  EXPECT_FALSE(c.talloc(8));
  c.tfree({{r.first + 7, 1}, &c});
  expect_drained(c);
}

TEST(channel, cleared_it_is_as_it_was_made) {
  for (const std::uint32_t group : {1U, 4U, 16U}) {
    for (const std::uint32_t used : {0U, 1U, 5U, 13U, 16U, 40U}) {
      const channel_geometry geometry{16, group};
      const std::size_t zeroed = channel_view::zeroed_bytes(geometry);
      std::vector<std::max_align_t> memory(2 * zeroed / sizeof(std::max_align_t));
      void* first = memory.data();
      std::size_t room = memory.size() * sizeof(std::max_align_t);
      auto* const bytes = static_cast<std::byte*>(std::align(cache_line, zeroed, first, room));
      const channel_view view(bytes, geometry);
      // Some are left where they are, in every state.
      for (std::uint32_t i = 0; i < used; ++i) {
        const run r = view.talloc(1);
        if (!r) break;
        if (i % 7 != 6) view.enq(r);
        if (const run taken = view.deq(); taken && i % 5 != 4) view.tfree(taken);
        view.reclaim();
      }
      view.clear();
      EXPECT_EQ(std::count(bytes, bytes + zeroed, std::byte{0}), static_cast<long>(zeroed))
          << used << " used, groups of " << group;
    }
  }
}

TEST(channel, contiguous_runs_are_arrays) {
  channel<int> c(8, {.done_group = 2});
  for (std::uint32_t n = 1; n <= 8; ++n) {
    const auto before = c.talloc(3);  // so that runs begin anywhere
    c.tfree(before);
    const auto r = c.talloc_contiguous(n);
    ASSERT_EQ(r.count, n);
    int* const array = &c.at(r, 0);
    for (std::uint32_t i = 0; i < n; ++i) EXPECT_EQ(array + i, &c.at(r, i));
    c.tfree(r);
  }
  EXPECT_FALSE(c.talloc_contiguous(9));
}

TEST(channel, runs_longer_than_a_control_word_holds_come_out_in_pieces) {
  constexpr std::uint32_t n = 3 * detail::control_word::longest_run + 5;
  channel<std::uint32_t> c(n);
  const auto r = c.talloc(n);
  ASSERT_EQ(r.count, n);
  for (std::uint32_t i = 0; i < n; ++i) c.set(r, i, i);
  c.enq(r);
  const auto all = take_all(c);
  ASSERT_EQ(all.size(), n);
  for (std::uint32_t i = 0; i < n; ++i) ASSERT_EQ(all[i], i);
}

TEST(channel, allocation_channels_have_space_and_no_queue) {
  channel<point> c(16, {.kind = channel_kind::allocation});
  EXPECT_LT(c.bytes(), channel<point>(16).bytes());
  const auto r = c.talloc_contiguous(5);
  ASSERT_TRUE(r);
  c.at(r, 4) = {1, 2};
  EXPECT_THROW(c.enq(r), error);
  EXPECT_FALSE(c.deq());
  c.tfree(r);
  expect_drained(c);
}

TEST(channel, elements_go_back_where_they_came_from) {
  channel<int> a(4);
  channel<int> b(4);
  const auto r = a.talloc(1);
  EXPECT_THROW(b.enq(r), error);
  EXPECT_THROW(b.tfree(r), error);
  a.tfree(r);
}

struct particle {
  float x, y;
  std::uint8_t kind;
  double mass;
  using channel_fields = fields<&particle::x, &particle::y, &particle::kind, &particle::mass>;
};

TEST(channel, fields_lie_in_arrays_of_their_own) {
  channel<particle> c(100);
  const auto r = c.talloc(100);
  for (std::uint32_t i = 0; i < 100; ++i) {
    const auto f = static_cast<float>(i);
    c.set(r, i, {f, -f, static_cast<std::uint8_t>(i), 2.0 * i});
  }
  for (std::uint32_t i = 0; i < 100; ++i) {
    const particle p = c.get(r, i);
    EXPECT_EQ(p.x, static_cast<float>(i));
    EXPECT_EQ(p.y, -static_cast<float>(i));
    EXPECT_EQ(p.kind, i);
    EXPECT_EQ(p.mass, 2.0 * i);
  }
  // Neighbours' fields are neighbours: 128 floats, 128 floats, 128 bytes, 128 doubles.
  const std::byte* const data = c.view().data();
  EXPECT_EQ(reinterpret_cast<const float*>(data)[1], 1.0F);
  EXPECT_EQ(reinterpret_cast<const float*>(data + 512)[1], -1.0F);
  EXPECT_EQ(data[1024 + 7], std::byte{7});
  EXPECT_EQ(reinterpret_cast<const double*>(data + 1152)[3], 6.0);
  EXPECT_EQ(layout_of<particle>::bytes(128), 1152U + 1024U);
}

TEST(channel, control_words_hold_what_was_packed) {
  using word = detail::control_word;
  const run r{word::ticket_mask - 1, word::longest_run};
  for (const bool lap : {false, true}) {
    EXPECT_EQ(word::lap(word::pack(lap, r)), lap);
    EXPECT_EQ(word::unpack(word::pack(lap, r)), r);
  }
}

}  // namespace
}  // namespace channels::testing
