#include <gtest/gtest.h>

#include <nlohmann/json.hpp>  // a reader of JSON that is not ours

#include "tests/support/shapes.hpp"
#include "tests/support/tasks.hpp"

namespace channels::testing {
namespace {

statistics of_fib(int n, const settings& s) {
  runtime on(s);
  (void)call<fib>(on, {n});
  return on.last_run();
}

TEST(statistics, add_up) {
  const statistics s = of_fib(18, with_units(2));
  EXPECT_EQ(s.batch_elements, s.work.tasks + s.work.resumed) << "nothing was dispatched twice";
  EXPECT_GE(s.batches, 2U);
  EXPECT_LE(s.largest_batch, s.batch_elements);
  EXPECT_LE(s.work.lanes, s.work.waves * s.width);
  EXPECT_GT(s.lanes_active(), 0.1);
  EXPECT_LE(s.lanes_active(), 1.0);
  EXPECT_LE(s.memory_high_water, s.memory_limit);
  EXPECT_EQ(s.memory_limit, settings{}.memory);
  EXPECT_GT(s.run_ns, 0U);
  ASSERT_EQ(s.channels.size(), 2U);
  EXPECT_EQ(s.channels[0].name, "fib");
  EXPECT_EQ(s.channels[1].name, "fib.cont");
  EXPECT_GE(s.channels[0].elements, s.work.tasks);
  EXPECT_GE(s.channels[0].levels, 18U);
  for (const channel_statistics& c : s.channels) {
    EXPECT_LE(c.most_in_level, c.largest_capacity);
    EXPECT_LE(c.largest_capacity, settings{}.capacity);
  }
}

TEST(statistics, keep_to_the_size_of_a_batch_and_of_a_channel) {
  settings s = with_units(1);
  s.batch = 100;
  s.capacity = 256;
  const statistics c = of_fib(18, s);
  EXPECT_LE(c.largest_batch, 100U);
  for (const channel_statistics& of : c.channels) EXPECT_LE(of.largest_capacity, 256U);
}

TEST(statistics, book_what_a_slow_aggregator_waits_to_the_aggregator) {
  settings s = with_units(1);
  s.statistics = "1";
  s.slow_aggregator = 50;
  // The aggregator waits 49 times as long as it works, so one unit has nearly no time for tasks. A
  // run whose thread the system stopped in the middle of a task says nothing.
  bool seen = false;
  for (int tries = 0; tries < 20 && !seen; ++tries) {
    const statistics slow = of_fib(18, s);
    const std::uint64_t worked =
        slow.collect_ns + slow.decide_ns + slow.dispatch_ns + slow.restart_ns;
    seen = worked > slow.work.busy_ns && slow.waiting_share > 0.5;
  }
  EXPECT_TRUE(seen);
}

TEST(statistics, time_the_aggregator_only_when_they_are_asked_for) {
  settings s = with_units(2);
  EXPECT_FALSE(of_fib(10, s).timed);
  s.statistics = "1";
  const statistics timed = of_fib(18, s);
  EXPECT_TRUE(timed.timed);
  const std::uint64_t phases = timed.collect_ns + timed.decide_ns + timed.dispatch_ns +
                               timed.restart_ns + timed.lent_ns + timed.idle_ns;
  EXPECT_GT(phases, 0U);
  EXPECT_LE(phases, timed.run_ns);
  EXPECT_GT(timed.work.busy_ns, 0U);
  EXPECT_TRUE(of_fib(10, s).device_model == timed.device_model);
  EXPECT_EQ(timed.device, "host");
  ASSERT_EQ(timed.nodes.size(), 2U);
  EXPECT_EQ(timed.nodes[0].name, "fib");
  EXPECT_EQ(timed.nodes[0].elements, timed.work.tasks);
  EXPECT_EQ(timed.nodes[1].elements, timed.work.resumed);
  EXPECT_GT(timed.nodes[0].busy_ns, 0U);
  EXPECT_EQ(timed.units.size(), 2U);
  EXPECT_GE(timed.waiting_share, 0.0);
  EXPECT_LE(timed.waiting_share, 1.0);
}

TEST(statistics, are_there_of_a_run_that_failed) {
  settings s = with_units(1);
  s.levels = 5;
  runtime on(s);
  EXPECT_THROW((void)call<fib>(on, {18}), error);
  EXPECT_EQ(on.last_run().runs, 1U);
  EXPECT_GT(on.last_run().work.tasks, 0U);
  EXPECT_EQ(on.last_run().deepest_level, 4U);
}

TEST(statistics, say_what_memory_a_run_of_this_depth_needs) {
  settings s = with_units(1);
  const statistics counted = of_fib(16, s);
  EXPECT_EQ(counted.memory_minimum, minimum_memory<fib>(s, counted.deepest_level + 1));
  s.memory = counted.memory_minimum;
  EXPECT_EQ(of_fib(16, s).work.tasks, counted.work.tasks);
}

TEST(statistics, count_batches_that_had_no_room_for_more) {
  settings s = with_units(1);
  EXPECT_EQ(of_fib(12, s).cut_by_room, 0U);
  s.capacity = 16;
  EXPECT_GT(of_fib(16, s).cut_by_room, 0U);
}

TEST(statistics, as_a_document_have_the_settings_and_the_program) {
  settings options = with_units(2);
  options.statistics = "json";
  options.capacity = 512;
  runtime on(options);
  (void)call<fib>(on, {12});
  const auto j = nlohmann::json::parse(on.json());
  EXPECT_EQ(j.at("schema"), 1);
  EXPECT_EQ(j.at("program"), "statistics_test");
  EXPECT_EQ(j.at("order"), "channels");
  EXPECT_EQ(j.at("settings").at("CHANNELS_CAPACITY"), 512);
  EXPECT_EQ(j.at("tasks"), on.last_run().work.tasks);
  EXPECT_EQ(j.at("nodes")[1].at("elements"), on.last_run().work.resumed);
}

TEST(statistics, as_json_say_what_the_object_says) {
  settings options = with_units(2);
  options.statistics = "json";
  const statistics s = of_fib(15, options);
  const auto j = nlohmann::json::parse(s.json());
  EXPECT_EQ(j.at("tasks"), s.work.tasks);
  EXPECT_EQ(j.at("continuations"), s.work.resumed);
  EXPECT_EQ(j.at("batches"), s.batches);
  EXPECT_EQ(j.at("largest_batch"), s.largest_batch);
  EXPECT_EQ(j.at("compute_units"), 2);
  EXPECT_EQ(j.at("memory_high_water"), s.memory_high_water);
  EXPECT_EQ(j.at("deepest_level"), s.deepest_level);
  EXPECT_EQ(j.at("lanes_active"), s.lanes_active());
  EXPECT_EQ(j.at("aggregator_ns").at("decide"), s.decide_ns);
  EXPECT_EQ(j.at("units_waiting"), s.waiting_share);
  ASSERT_EQ(j.at("channels").size(), 2U);
  EXPECT_EQ(j.at("channels")[1].at("name"), "fib.cont");
  EXPECT_EQ(j.at("channels")[0].at("most_live"), s.channels[0].most_in_level);
}

TEST(statistics, are_json_even_of_no_run) {
  const auto j = nlohmann::json::parse(statistics{}.json());
  EXPECT_TRUE(j.at("channels").is_array());
  EXPECT_EQ(j.at("lanes_active"), 0.0);
}

TEST(statistics, as_a_table_have_a_line_for_each_count_and_channel) {
  settings options = with_units(1);
  options.statistics = "1";
  const std::string table = of_fib(12, options).table();
  for (const char* const word :
       {"run", "tasks", "continuations", "batches", "lanes active", "retries", "yields", "blocks",
        "join atomics", "memory", "aggregator", "units waiting", "fib ", "fib.cont"}) {
    EXPECT_NE(table.find(word), std::string::npos) << word << " in\n" << table;
  }
}

TEST(statistics, of_several_runs_add_up) {
  const statistics one = of_fib(12, with_units(1));
  const statistics two = of_fib(15, with_units(2));
  statistics sum;
  sum += one;
  sum += two;
  EXPECT_EQ(sum.work.tasks, one.work.tasks + two.work.tasks);
  EXPECT_EQ(sum.batches, one.batches + two.batches);
  EXPECT_EQ(sum.run_ns, one.run_ns + two.run_ns);
  EXPECT_EQ(sum.deepest_level, std::max(one.deepest_level, two.deepest_level));
  EXPECT_EQ(sum.compute_units, 2U);
  ASSERT_EQ(sum.channels.size(), 2U) << "the same channel, not a second one";
  EXPECT_EQ(sum.channels[0].elements, one.channels[0].elements + two.channels[0].elements);
  EXPECT_EQ(sum.channels[0].most_in_level, two.channels[0].most_in_level);
}

TEST(statistics, weigh_the_share_of_waiting_by_time) {
  statistics a;
  a.run_ns = 300;
  a.waiting_share = 0.1;
  statistics b;
  b.run_ns = 100;
  b.waiting_share = 0.5;
  a += b;
  EXPECT_DOUBLE_EQ(a.waiting_share, 0.2);
  statistics nothing;
  nothing += statistics{};
  EXPECT_EQ(nothing.waiting_share, 0.0);
}

}  // namespace
}  // namespace channels::testing
