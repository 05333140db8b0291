// A graph that cannot work is refused when it is built, with a message that says what to do.

#include <gtest/gtest.h>

#include <memory>  // unique_ptr
#include <string>  // string
#include <vector>  // vector

#include "channels/graph.hpp"
#include "tests/support/endless.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/shapes.hpp"

namespace channels::testing {
namespace {

constexpr auto nothing = [](auto& /*lane*/, auto /*element*/) {};

class misuse : public ::testing::Test {
 protected:
  runtime on{with_units(1)};
  graph g{on, "my graph"};
};

TEST_F(misuse, a_channel_with_two_consumers) {
  const auto c = g.channel<int>("numbers", 8);
  g.kernel("first", c, nothing);
  expect_error([&] { g.kernel("second", c, nothing); },
               {"my graph", "numbers", "first", "second", "make a channel for each"});
  g.push(c, 1);
  g.execute();
  EXPECT_TRUE(g.wait()) << "the first consumer stays";
}

TEST_F(misuse, a_channel_that_nobody_consumes) {
  const auto used = g.channel<int>("used", 8);
  (void)g.stack<int>("lonely", 8);
  g.kernel("node", used, nothing);
  g.push(used, 1);
  expect_error([&] { g.execute(); }, {"my graph", "lonely", "kernel("});
}

TEST_F(misuse, frames_that_nobody_consumes) {
  const auto s = g.stack<int>("work", 8);
  const auto f = g.frames<int>("frames", 8);
  g.kernel("node", s, [](auto& /*lane*/, int /*i*/, auto& /*frames*/) {}, f);
  g.push(s, 1);
  expect_error([&] { g.execute(); }, {"frames", "nobody consumes"});
}

TEST_F(misuse, nothing_to_begin_with) {
  const auto c = g.channel<int>("numbers", 8);
  g.kernel("node", c, nothing);
  expect_error([&] { g.execute(); }, {"my graph", "nothing to begin with", "push"});
  expect_error([&] { graph(on, "empty").execute(); }, {"empty", "nothing to begin with"});
}

TEST_F(misuse, pushes_are_consumed_by_one_run) {
  const auto c = g.channel<int>("numbers", 8);
  g.kernel("node", c, nothing);
  g.push(c, 1);
  g.execute();
  EXPECT_TRUE(g.wait());
  expect_error([&] { g.execute(); }, {"nothing to begin with"});
}

TEST_F(misuse, two_channels_of_one_name) {
  (void)g.channel<int>("numbers", 8);
  expect_error([&] { (void)g.stack<long>("numbers", 8); }, {"my graph", "numbers", "another name"});
}

TEST_F(misuse, a_capacity_of_zero_or_beyond_memory) {
  expect_error([&] { (void)g.channel<int>("none", 0); }, {"my graph", "none", "capacity of 0"});
  for (const std::uint64_t absurd :
       {std::uint64_t{1} << 27U, std::uint64_t{1} << 31U, ~std::uint64_t{0}}) {
    for (const bool levels : {false, true}) {
      expect_error(
          [&] {
            if (levels) (void)g.stack<int>("huge", absurd);
            if (!levels) (void)g.channel<int>("huge", absurd);
          },
          {"my graph", "huge", std::to_string(absurd), "CHANNELS_MEMORY"});
    }
  }
  EXPECT_NO_THROW((void)g.channel<int>("large", 1U << 16U));
  EXPECT_NO_THROW((void)g.channel<int>("one", 1));
}

TEST_F(misuse, capacities_that_together_are_beyond_memory) {
  settings s = with_units(1);
  s.memory = 64U << 10U;
  runtime small(s);
  graph crowded(small, "crowded");
  expect_error(
      [&] {
        for (int i = 0; i < 10; ++i) {
          const auto c = crowded.channel<long>("c" + std::to_string(i), 512);
          crowded.kernel("k" + std::to_string(i), c, nothing);
          crowded.push(c, 1);
        }
        crowded.execute();
        crowded.wait();
      },
      {"CHANNELS_MEMORY"});
}

TEST_F(misuse, an_output_that_memory_does_not_hold) {
  settings s = with_units(1);
  s.memory = 64U << 10U;
  runtime small(s);
  graph crowded(small, "crowded");
  expect_error(
      [&] {
        const auto in = crowded.channel<long>("in", 1024);
        const auto out = crowded.channel<long>("out", 2048);
        crowded.kernel(
            "copy", in,
            [](auto& lane, long i, auto& to) {
              return to.try_push(i) != nullptr ? lane.done() : lane.retry();
            },
            out);
        crowded.kernel("end", out, nothing);
        crowded.push(in, 1);
        crowded.execute();
        crowded.wait();
      },
      {"CHANNELS_MEMORY"});
}

TEST_F(misuse, a_channel_of_another_graph) {
  graph other(on, "other");
  const auto mine = g.channel<int>("mine", 8);
  const auto foreign = other.channel<int>("foreign", 8);
  expect_error([&] { g.kernel("node", foreign, nothing); }, {"my graph", "node", "another graph"});
  expect_error(
      [&] { g.kernel("node", mine, [](auto& /*lane*/, int /*i*/, auto& /*out*/) {}, foreign); },
      {"my graph", "node", "another graph"});
  expect_error([&] { g.push(foreign, 1); }, {"my graph", "push", "another graph"});
  expect_error([&] { g.dispatch_when(foreign, full_wavefront()); },
               {"my graph", "dispatch_when", "another graph"});
  expect_error([&] { g.push(channel_node<int>{}, 1); }, {"never made"});
  g.kernel("node", mine, nothing);  // the refused call has left nothing behind
}

TEST_F(misuse, an_element_type_that_does_not_match) {
  (void)g.channel<int>("numbers", 8);
  expect_error([&] { (void)g.find<float>("numbers"); }, {"my graph", "numbers", "another type"});
  expect_error([&] { (void)g.find<int>("letters"); }, {"my graph", "no channel 'letters'"});
}

TEST_F(misuse, frames_pushed_by_the_host) {
  const auto f = g.frames<int>("frames", 8);
  expect_error([&] { g.push(f, 1); }, {"my graph", "frames", "push an element"});
}

TEST_F(misuse, frames_written_where_they_could_not_wait_for_anybody) {
  const auto c = g.channel<int>("plain", 8);
  const auto f = g.frames<int>("frames", 8);
  expect_error([&] { g.kernel("node", c, [](auto& /*lane*/, int /*i*/, auto& /*frames*/) {}, f); },
               {"my graph", "node", "frames", "stack"});
}

TEST_F(misuse, a_stack_that_is_found_by_name_and_taken_for_a_channel) {
  (void)g.stack<int>("levels", 8);
  (void)g.frames<int>("frames", 8);
  expect_error([&] { (void)g.find<int>("levels"); }, {"my graph", "levels", "stack"});
  expect_error([&] { (void)g.find<int>("frames"); }, {"my graph", "frames", "frames"});
}

TEST_F(misuse, executing_twice_at_once) {
  const endless run(on);
  expect_error([&] { const_cast<endless&>(run).on_graph.execute(); },
               {"endless", "runs already", "wait"});
  const auto c = g.channel<int>("numbers", 8);
  g.kernel("node", c, nothing);
  g.push(c, 1);
  expect_error([&] { g.execute(); }, {"my graph", "endless", "wait", "second runtime"});
}

TEST_F(misuse, changing_a_graph_that_runs) {
  endless run(on);
  graph& running = run.on_graph;
  const std::string_view words[] = {"endless", "runs"};
  expect_error([&] { (void)running.channel<int>("new", 8); }, {words[0], words[1]});
  const auto c = running.find<int>("again");
  expect_error([&] { running.kernel("new", c, nothing); }, {words[0], words[1]});
  expect_error([&] { running.push(c, 1); }, {words[0], words[1]});
  expect_error([&] { running.schedule(first_come()); }, {words[0], words[1]});
  expect_error([&] { running.dispatch_when(c, full_wavefront()); }, {words[0], words[1]});
}

TEST_F(misuse, waiting_for_a_graph_that_does_not_run) {
  expect_error([&] { g.wait(); }, {"my graph", "wait without execute"});
}

// A type that is no plain record cannot be an element: the program does not compile.
template <class T>
concept makes_a_channel =
    requires(graph& on_graph) { channel_node<T>(on_graph.channel<T>("c", 8)); };
template <class T>
concept makes_a_stack = requires(graph& on_graph) { stack_node<T>(on_graph.stack<T>("s")); };
template <class T>
concept makes_frames = requires(graph& on_graph) { frame_node<T>(on_graph.frames<T>("f")); };
template <class T>
concept is_refused = !makes_a_channel<T> && !makes_a_stack<T> && !makes_frames<T>;

struct with_destructor {
  int value;
  ~with_destructor() {}
};
struct with_virtual {
  virtual ~with_virtual() = default;
};
struct without_default {
  explicit without_default(int v) : value(v) {}
  int value;
};
struct alignas(128) beyond_a_cache_line {
  int value;
};
struct plain_record {
  int value;
  double* where;
};

static_assert(makes_a_channel<plain_record> && makes_a_stack<plain_record> &&
              makes_frames<plain_record>);
static_assert(is_refused<std::string> && is_refused<std::vector<int>> &&
              is_refused<std::unique_ptr<int>> && is_refused<with_destructor> &&
              is_refused<with_virtual> && is_refused<without_default> &&
              is_refused<beyond_a_cache_line>);

}  // namespace
}  // namespace channels::testing
