#include "runtime/aggregator/channel_table.hpp"

#include <gtest/gtest.h>

#include <memory>  // unique_ptr

#include "runtime/host_device/host_device.hpp"

namespace channels::detail {
namespace {

constexpr std::uint32_t work = 0, frames = 1, plain = 2;

/// A table of a stack, its frames and a plain channel, in memory of the given size.
class tables {
 public:
  explicit tables(std::size_t bytes, settings s = {}) : options(s), bytes_(bytes) {
    stack_model w = make_stack<long>("work");
    w.levels = true;
    w.capacity = 1024;
    stack_model f = make_stack<long>("frames");
    f.levels = true;
    f.frames = true;
    f.capacity = 256;
    stack_model p = make_stack<long>("plain");
    p.capacity = 32;
    model.stacks = {w, f, p};
    memory_ = host.allocate(bytes);
    table = std::make_unique<channel_table>(model, options, memory_, bytes);
  }
  tables(const tables&) = delete;
  tables& operator=(const tables&) = delete;
  ~tables() { host.release(memory_, bytes_); }

  /// Reserves and enqueues, as a kernel node would.
  static run fill(channel_state& c, std::uint32_t count) {
    const run r = c.bound.view.talloc(count);
    EXPECT_TRUE(r);
    c.bound.view.enq(r);
    return r;
  }

  host_device host{1};
  graph_model model;
  settings options;
  std::unique_ptr<channel_table> table;

 private:
  std::size_t bytes_;
  channel_memory memory_;
};

constexpr std::size_t plenty = std::size_t{8} << 20U;

TEST(channel_table, makes_a_channel_when_its_level_is_first_asked_for) {
  const tables t(plenty);
  EXPECT_EQ(t.table->level_count(), 0U);
  EXPECT_EQ(t.table->find(work, 3), nullptr);
  channel_state* const c = t.table->prepare(work, 3, 10);
  ASSERT_NE(c, nullptr);
  EXPECT_EQ(c->level, 3U);
  EXPECT_EQ(c->stack, work);
  EXPECT_EQ(c->geometry.capacity, 16U) << "as many as wanted, rounded up";
  EXPECT_EQ(t.table->find(work, 3), c);
  EXPECT_EQ(t.table->find(frames, 3), nullptr);
  EXPECT_EQ(t.table->find(work, 2), nullptr);
  EXPECT_EQ(&t.table->by_id(c->bound.id), c);
  EXPECT_EQ(t.table->level_count(), 4U);
  EXPECT_EQ(t.table->prepare(work, 3, 10), c) << "and not again";
}

TEST(channel_table, gives_a_plain_channel_its_capacity_and_a_stack_no_more_than_its) {
  const tables t(plenty);
  EXPECT_EQ(t.table->prepare(plain, 0, 5)->geometry.capacity, 32U);
  EXPECT_EQ(t.table->prepare(plain, 0, 5000)->geometry.capacity, 32U);
  EXPECT_EQ(t.table->prepare(work, 0, 1'000'000)->geometry.capacity, 1024U);
  EXPECT_EQ(t.table->prepare(work, 1, 1)->geometry.capacity, channel_table::smallest_capacity);
}

TEST(channel_table, replaces_a_channel_by_a_larger_one_and_lets_the_old_one_run_empty) {
  const tables t(plenty);
  channel_state* const small = t.table->prepare(work, 2, 4);
  const run held = tables::fill(*small, 3);
  t.table->refresh(*small);
  channel_state* const large = t.table->prepare(work, 2, 100);
  ASSERT_NE(large, small);
  EXPECT_EQ(large->geometry.capacity, 128U);
  EXPECT_FALSE(small->current);
  EXPECT_EQ(t.table->find(work, 2), large);
  EXPECT_EQ(t.table->at(2).size(), 2U) << "what the small one holds is still to be consumed";
  EXPECT_EQ(small->ready.count(), 3U);
  run taken[4];
  std::uint32_t runs = 0;
  ASSERT_EQ(small->ready.take(taken, 4, 3, runs), 3U);
  small->bound.view.tfree(held);
  t.table->refresh(*small);
  ASSERT_EQ(t.table->at(2).size(), 1U);
  EXPECT_EQ(t.table->at(2)[0], large);
}

TEST(channel_table, grows_an_empty_channel_in_its_place) {
  const tables t(plenty);
  (void)t.table->prepare(work, 2, 4);
  EXPECT_EQ(t.table->prepare(work, 2, 64)->geometry.capacity, 64U);
  EXPECT_EQ(t.table->at(2).size(), 1U);
}

TEST(channel_table, collects_what_is_ready_and_knows_the_deepest_level_that_holds_anything) {
  const tables t(plenty);
  EXPECT_EQ(t.table->deepest(), -1);
  channel_state* const shallow = t.table->prepare(work, 1, 8);
  channel_state* const deep = t.table->prepare(frames, 5, 8);
  EXPECT_EQ(t.table->deepest(), -1) << "they are empty";
  tables::fill(*shallow, 2);
  const run r = tables::fill(*deep, 3);
  t.table->refresh(*shallow);
  t.table->refresh(*deep);
  EXPECT_EQ(t.table->deepest(), 5);
  EXPECT_EQ(deep->ready.count(), 3U);
  EXPECT_EQ(deep->live, 3U);
  EXPECT_LT(shallow->arrival, deep->arrival);
  EXPECT_FALSE(t.table->collect(*deep)) << "nothing new";
  deep->bound.view.tfree(r);
  t.table->refresh(*deep);
  EXPECT_EQ(t.table->deepest(), 1);
  t.table->in_flight(5) = 1;
  t.table->refresh(*deep);
  tables::fill(*deep, 1);
  t.table->refresh(*deep);
  EXPECT_EQ(t.table->deepest(), 5);
}

TEST(channel_table, visits_active_levels_deepest_first_and_forgets_those_that_are_not) {
  const tables t(plenty);
  (void)t.table->prepare(work, 200, 4);
  for (const std::uint32_t level : {0U, 63U, 64U, 130U, 200U}) t.table->mark_active(level);
  std::vector<std::uint32_t> seen;
  t.table->for_each_active([&](std::uint32_t level) {
    seen.push_back(level);
    return level == 64;
  });
  EXPECT_EQ(seen, (std::vector<std::uint32_t>{200, 130, 64, 63, 0}));
  seen.clear();
  t.table->for_each_active([&](std::uint32_t level) {
    seen.push_back(level);
    return false;
  });
  EXPECT_EQ(seen, (std::vector<std::uint32_t>{64}));
}

TEST(channel_table, says_no_where_memory_or_the_levels_allowed_end) {
  settings s;
  s.levels = 4;
  const tables limited(plenty, s);
  EXPECT_NE(limited.table->prepare(work, 3, 4), nullptr);
  EXPECT_EQ(limited.table->prepare(work, 4, 4), nullptr);

  const tables t(std::size_t{4} << 10U);
  std::uint32_t level = 0;
  for (; channel_state* const c = t.table->prepare(work, level, 4); ++level) {
    ASSERT_LT(level, 100U);
    tables::fill(*c, 1);
    t.table->refresh(*c);
  }
  EXPECT_GE(level, 4U);
  EXPECT_LE(t.table->pool().in_use(), t.table->pool().size());
}

TEST(channel_table, takes_the_memory_of_empty_channels_when_it_runs_short) {
  const tables t(std::size_t{4} << 10U);
  channel_state* const held = t.table->prepare(work, 0, 4);
  tables::fill(*held, 1);
  t.table->refresh(*held);
  for (std::uint32_t level = 1; level < 300; ++level) {
    ASSERT_NE(t.table->prepare(work, level, 4), nullptr) << level;
  }
  EXPECT_EQ(t.table->find(work, 0), held) << "it is not empty";
  EXPECT_EQ(held->ready.count(), 1U);
}

TEST(channel_table, releases_every_idle_channel_and_no_other) {
  const tables t(plenty);
  channel_state* const used = t.table->prepare(work, 1, 4);
  tables::fill(*used, 1);
  t.table->refresh(*used);
  channel_state* const promised = t.table->prepare(work, 2, 4);
  promised->promised = 1;
  channel_state* const flying = t.table->prepare(work, 3, 4);
  flying->in_flight = 1;
  (void)t.table->prepare(work, 4, 64);
  (void)t.table->prepare(frames, 1, 4);
  EXPECT_TRUE(t.table->release_idle());
  EXPECT_EQ(t.table->find(work, 1), used);
  EXPECT_EQ(t.table->find(work, 2), promised);
  EXPECT_EQ(t.table->find(work, 3), flying);
  EXPECT_EQ(t.table->find(work, 4), nullptr);
  EXPECT_EQ(t.table->find(frames, 1), nullptr);
  EXPECT_FALSE(t.table->release_idle());
}

TEST(channel_table, prepares_all_outputs_of_a_node_or_says_which_memory_lacks) {
  const tables t(plenty);
  node_model node;
  node.outputs = {{frames, 0, 1}, {work, 1, 2}, {plain, 0, 1}};
  EXPECT_TRUE(t.table->prepare_all(node, 6, [](const output_model& o) { return 10 * o.bound; }));
  EXPECT_EQ(t.table->find(frames, 6)->geometry.capacity, 16U);
  EXPECT_EQ(t.table->find(work, 7)->geometry.capacity, 32U);
  EXPECT_NE(t.table->find(plain, 0), nullptr);
  EXPECT_EQ(t.table->find(work, 7)->promised, 0U) << "nothing is promised for good";

  const tables small(std::size_t{1} << 10U);
  EXPECT_FALSE(
      small.table->prepare_all(node, 6, [](const output_model& o) { return 10 * o.bound; }));
}

TEST(channel_table, leaves_half_of_its_memory_to_channels_of_the_smallest_size) {
  const tables t(std::size_t{256} << 10U);
  std::uint32_t levels = 0;
  for (; channel_state* const c = t.table->prepare(work, levels, 1024); ++levels) {
    tables::fill(*c, 1);
    t.table->refresh(*c);
  }
  // Half of 256 KiB in channels of 4 elements of some 500 bytes each.
  EXPECT_GT(levels, 200U);
  EXPECT_GT(t.table->find(work, 0)->geometry.capacity, 4U);
  EXPECT_EQ(t.table->find(work, levels - 1)->geometry.capacity, 4U);
}

TEST(channel_table, counts_what_its_channels_held_even_of_those_that_are_gone) {
  const tables t(plenty);
  channel_state* c = t.table->prepare(work, 2, 8);
  const run r = tables::fill(*c, 5);
  t.table->refresh(*c);
  c->bound.view.tfree(r);
  run taken[2];
  std::uint32_t runs = 0;
  c->ready.take(taken, 2, 5, runs);
  t.table->refresh(*c);
  ASSERT_TRUE(t.table->release_idle());
  c = t.table->prepare(work, 1, 4);
  tables::fill(*c, 2);
  t.table->refresh(*c);
  statistics s;
  t.table->add_to(s);
  ASSERT_EQ(s.channels.size(), 3U);
  EXPECT_EQ(s.channels[work].name, "work");
  EXPECT_EQ(s.channels[work].levels, 3U);
  EXPECT_EQ(s.channels[work].most_in_level, 5U);
  EXPECT_EQ(s.channels[work].largest_capacity, 8U);
  EXPECT_GE(s.channels[work].elements, 7U);
  EXPECT_EQ(s.channels[frames].elements, 0U);
  EXPECT_EQ(s.channels_made, 2U);
  EXPECT_GT(s.memory_high_water, 0U);
}

}  // namespace
}  // namespace channels::detail
