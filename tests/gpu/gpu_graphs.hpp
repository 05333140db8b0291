#pragma once

// Graphs whose kernel nodes run on a GPU give the answers that they give on the host, with either
// place of the aggregator.

#include <cstdio>   // fprintf
#include <cstdlib>  // _Exit
#include <string>   // string

#include "gpu_setup.hpp"
#include "tests/support/random_graphs.hpp"
#include "tests/support/shapes.hpp"

namespace gpu_channels {

inline void run(graph& g) {
  g.execute();
  ASSERT_TRUE(g.wait());
}

inline long leaves_of_fib(int n) {
  return n <= 2 ? 1 : leaves_of_fib(n - 1) + leaves_of_fib(n - 2);
}

inline void count_the_leaves(aggregator_place place) {
  runtime on(on_device(place));
  graph g(on, "fib");
  const auto fib = g.channel<int>("fib", 32768);
  const auto result = g.accumulator<long>();
  g.kernel("fib", fib, count_leaves{}, channels::up_to(2, fib), result);
  for (int i = 0; i < 2; ++i) {  // the second run starts from nothing again
    g.push(fib, 18);
    run(g);
    EXPECT_EQ(result.value(), leaves_of_fib(18));
    EXPECT_EQ(g.counted().work.tasks, static_cast<std::uint64_t>(2 * leaves_of_fib(18) - 1));
    EXPECT_EQ(g.counted().handovers != 0, place == aggregator_place::device);
  }
}
TEST(gpu_graph, one_node_and_one_channel_count_the_leaves_of_a_recursion) {
  for (const aggregator_place place : both_places) count_the_leaves(place);
}

/// The same without a bound on what a lane writes, in a channel that is nearly too small.
inline void fill_the_channel(aggregator_place place) {
  settings s = on_device(place);
  s.batch = 64;
  runtime on(s);
  graph g(on, "fib");
  const auto fib = g.channel<int>("fib", 512);
  const auto result = g.accumulator<long>();
  g.kernel("fib", fib, count_leaves{}, fib, result);
  g.push(fib, 12);
  run(g);
  EXPECT_EQ(result.value(), leaves_of_fib(12));
  EXPECT_GT(g.counted().work.retries, 0U);
}
TEST(gpu_graph, elements_that_find_no_room_are_tried_again) {
  for (const aggregator_place place : both_places) fill_the_channel(place);
}

inline void overfill_the_channel(aggregator_place place) {
  runtime on(on_device(place));
  graph g(on, "fib");
  const auto fib = g.channel<int>("leaves", 8);
  const auto result = g.accumulator<long>();
  g.kernel("fib", fib, count_leaves{}, channels::up_to(2, fib), result);
  g.push(fib, 12);
  run(g);
  EXPECT_EQ(result.value(), leaves_of_fib(12));
  EXPECT_GT(g.counted().parked, 0U);
}
TEST(gpu_graph, elements_of_a_channel_full_of_what_needs_room_go_on_one_after_the_other) {
  for (const aggregator_place place : both_places) overfill_the_channel(place);
}

/// Stored field by field; the host pushes more than one lap of the channel.
struct point {
  int x;
  double weight;
  std::uint8_t tag;
  using channel_fields = channels::fields<&point::x, &point::weight, &point::tag>;
};
struct add_up {
  template <class Lane>
  CHANNELS_DEVICE void operator()(Lane& /*lane*/, point p, double& sum, int& most,
                                  int scale) const {
    sum += p.x * p.weight * scale + p.tag;
    most = most < p.x ? p.x : most;
  }
};
struct larger {
  CHANNELS_DEVICE int operator()(int a, int b) const { return a < b ? b : a; }
};

inline void push_points(aggregator_place place) {
  runtime on(on_device(place));
  graph g(on, "points");
  const auto points = g.channel<point>("points", 256);
  const auto sum = g.accumulator<double>();
  const auto most = g.accumulator<int>(-1, larger{});
  g.kernel("add", points, add_up{}, sum, most, 2);
  double expected = 0;
  for (int i = 0; i < 1000; ++i) {
    g.push(points, {i, 0.5, static_cast<std::uint8_t>(i)});
    expected += i + static_cast<std::uint8_t>(i);
  }
  run(g);
  EXPECT_EQ(sum.value(), expected);
  EXPECT_EQ(most.value(), 999);
}
TEST(gpu_graph, elements_from_the_host_arrive_whole) {
  for (const aggregator_place place : both_places) push_points(place);
}

struct fib_call {
  int n;
  long* result;
};
struct fib_frame {
  long* result;
  long x, y;
};
struct fib_node {
  template <class Lane, class Children, class Frames>
  CHANNELS_DEVICE outcome operator()(Lane& lane, fib_call e, Children& children, Frames& frames,
                                     unsigned& level) const {
    level = level < lane.level() ? lane.level() : level;
    if (e.n < 2) {
      *e.result = e.n;
      return lane.done();
    }
    if (!children.reserve(2) || !frames.reserve(1)) return lane.retry();
    fib_frame* const f = frames.push({e.result, -1000, -1000});
    (void)children.push({e.n - 1, &f->x});
    (void)children.push({e.n - 2, &f->y});
    return lane.done();
  }
};
struct fib_continuation {
  template <class Lane>
  CHANNELS_DEVICE void operator()(Lane& /*lane*/, fib_frame& f) const {
    *f.result = f.x + f.y;
  }
};
struct larger_unsigned {
  CHANNELS_DEVICE unsigned operator()(unsigned a, unsigned b) const { return a < b ? b : a; }
};

inline void count_fib_with_frames(settings s, int n) {
  SCOPED_TRACE(::testing::Message() << s.memory << " bytes, batch " << s.batch << ", capacity "
                                    << s.capacity << ", forced yields " << s.force_yield);
  runtime on(s);
  graph g(on, "fib");
  const auto fib = g.stack<fib_call>("fib");
  const auto frames = g.frames<fib_frame>("fib.cont");
  const auto deepest = g.accumulator<unsigned>(0U, larger_unsigned{});
  g.kernel("fib", fib, fib_node{}, channels::up_to(2, fib), frames, deepest);
  g.kernel("fib.cont", frames, fib_continuation{});
  const shared_array<long> result(on, 1);
  g.push(fib, {n, result.begin()});
  run(g);
  EXPECT_EQ(result[0], tasks::fast_fib(n));
  EXPECT_EQ(deepest.value(), static_cast<unsigned>(n - 1));
}

TEST(gpu_graph, frames_run_after_all_that_they_wait_for) {
  for (const aggregator_place place : both_places) {
    settings s = on_device(place);
    count_fib_with_frames(s, 14);
    s.batch = 7;
    s.capacity = 16;
    count_fib_with_frames(s, 9);
    s = on_device(place);
    s.force_yield = 0.3;
    count_fib_with_frames(s, 10);
  }
}

TEST(gpu_graph, what_an_aggregator_on_the_device_cannot_do_is_said_at_the_start) {
  settings s = on_device(aggregator_place::device);
  const auto why = [](const auto& start) {
    try {
      start();
    } catch (const channels::error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  runtime on(s);
  graph g(on, "fib");
  const auto fib = g.channel<int>("fib", 64);
  const auto result = g.accumulator<long>();
  g.kernel("fib", fib, count_leaves{}, channels::up_to(2, fib), result);
  g.dispatch_when(fib, channels::full_wavefront());
  g.push(fib, 3);
  EXPECT_NE(why([&] { run(g); }).find("predicate of channel 'fib'"), std::string::npos);
}

struct nothing {
  template <class Lane>
  void operator()(Lane& /*lane*/, int /*e*/) const {}
};

TEST(gpu_graph, a_node_for_the_host_alone_is_refused_by_name) {
  runtime on(on_device());
  graph g(on, "mixed");
  const auto c = g.channel<int>("c", 16);
  g.kernel<channels::detail::host_node_code>("only_here", c, nothing{});
  g.push(c, 1);
  try {
    g.execute();
    FAIL() << "it started";
  } catch (const channels::error& e) {
    EXPECT_NE(std::string(e.what()).find("only_here"), std::string::npos) << e.what();
  }
}

/// Walkers that now and then become two or none, and go over from one channel to another: batches
/// of an element or a few, of which it is mostly plain what comes next, and sometimes not.
struct walker {
  std::uint32_t number;
  std::uint32_t steps;  ///< left
};
struct step {
  std::uint32_t here, there;  ///< walkers that it leaves
};
CHANNELS_DEVICE inline step step_of(const walker& w) {
  const std::uint32_t draw = (w.number * 2654435761U + w.steps * 40503U) >> 16U & 15U;
  if (w.steps == 0) return {0, 0};
  return draw == 0   ? step{2, 0}
         : draw == 1 ? step{1, 1}
         : draw == 2 ? step{0, 1}
         : draw == 3 ? step{0, 0}
                     : step{1, 0};
}
struct walk {
  template <class Lane, class Port>
  CHANNELS_DEVICE outcome operator()(Lane& lane, walker w, Port& here, Port& there,
                                     std::uint64_t& sum) const {
    const step s = step_of(w);
    if (!here.reserve(s.here) || !there.reserve(s.there)) return lane.retry();
    for (std::uint32_t i = 0; i < s.here; ++i) (void)here.push({2 * w.number + i, w.steps - 1});
    for (std::uint32_t i = 0; i < s.there; ++i) (void)there.push({3 * w.number + i, w.steps - 1});
    sum += w.number;
    return lane.done();
  }
};
inline std::uint64_t sum_of_walk(walker w) {
  const step s = step_of(w);
  std::uint64_t sum = w.number;
  for (std::uint32_t i = 0; i < s.here; ++i) sum += sum_of_walk({2 * w.number + i, w.steps - 1});
  for (std::uint32_t i = 0; i < s.there; ++i) sum += sum_of_walk({3 * w.number + i, w.steps - 1});
  return sum;
}

inline void let_walk(settings s, std::uint32_t walkers, std::uint32_t steps) {
  SCOPED_TRACE(::testing::Message()
               << (s.aggregator == aggregator_place::host ? "host" : "device") << ", " << walkers
               << " walkers, forced yields " << s.force_yield);
  runtime on(s);
  graph g(on, "walk");
  const auto here = g.channel<walker>("here", 256);
  const auto there = g.channel<walker>("there", 256);
  const auto sum = g.accumulator<std::uint64_t>();
  g.kernel("here", here, walk{}, channels::up_to(2, here), channels::up_to(1, there), sum);
  g.kernel("there", there, walk{}, channels::up_to(2, there), channels::up_to(1, here), sum);
  for (std::uint32_t round = 0; round < 4; ++round) {
    std::uint64_t expected = 0;
    for (std::uint32_t i = 0; i < walkers; ++i) {
      const walker w{round * 1000 + i + 1, steps};
      g.push(here, w);
      expected += sum_of_walk(w);
    }
    run(g);
    EXPECT_EQ(sum.value(), expected) << "round " << round;
  }
}
TEST(gpu_graph, small_batches_follow_each_other_and_nothing_is_lost) {
  for (const aggregator_place place : both_places) {
    for (const std::uint32_t walkers : {1U, 3U}) let_walk(on_device(place), walkers, 30);
    settings s = on_device(place);
    s.force_yield = 0.2;
    let_walk(s, 2, 20);
  }
}

/// Counts down, and then waits for what nobody does.
struct never_returns {
  template <class Lane, class Port>
  CHANNELS_DEVICE void operator()(Lane& /*lane*/, int n, Port& next,
                                  const std::uint32_t* flag) const {
    if (n > 0) {
      (void)next.push(n - 1);
      return;
    }
    while (channels::detail::atomic_load<channels::detail::order::relaxed>(flag) == 0) {
    }
  }
};

/// In a process of its own, which ends without tidying up.
[[noreturn]] inline void meet_a_kernel_that_never_returns(aggregator_place place, int batches) {
  settings s = on_device(place);
  s.timeout = std::chrono::milliseconds(300);
  std::string first;
  std::string second;
  {
    runtime on(s);
    graph g(on, "endless");
    const shared_array<std::uint32_t> flag(on, 1);
    const auto c = g.channel<int>("c", 16);
    g.kernel("waits", c, never_returns{}, channels::up_to(1, c),
             static_cast<const std::uint32_t*>(flag.begin()));
    g.push(c, batches - 1);
    for (std::string* const said : {&first, &second}) {
      try {
        g.execute();
        g.wait();
      } catch (const channels::error& e) {
        *said = e.what();
      }
      if (said == &first) g.push(c, 0);
    }
  }
  // The host's device is there as ever.
  s = settings();
  runtime on(s);
  const bool fine = channels::call<tasks::fib>(on, {10}) == tasks::fast_fib(10) &&
                    first.find("endless") != std::string::npos &&
                    first.find("CHANNELS_TIMEOUT") != std::string::npos &&
                    first.find("has not returned") != std::string::npos &&
                    second.find("cannot be used any more") != std::string::npos;
  if (!fine) std::fprintf(stderr, "first: %s\nthen: %s\n", first.c_str(), second.c_str());
  std::_Exit(fine ? 0 : 1);
}
TEST(gpu_graph, a_kernel_that_never_returns_is_given_up_and_the_process_goes_on) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  for (const aggregator_place place : both_places) {
    // With the aggregator on the host, the last of ten is run by a work-group that stays.
    for (const int batches : {1, 10}) {
      EXPECT_EXIT(meet_a_kernel_that_never_returns(place, batches), ::testing::ExitedWithCode(0),
                  "");
    }
  }
}

/// A push without room ends the run, and says which.
struct careless {
  template <class Lane, class Port>
  CHANNELS_DEVICE void operator()(Lane& /*lane*/, int /*e*/, Port& out) const {
    for (int i = 0; i < 10; ++i) out.push(i);
  }
};
struct counts_one {
  template <class Lane>
  CHANNELS_DEVICE void operator()(Lane& /*lane*/, int /*e*/, long& count) const {
    ++count;
  }
};
TEST(gpu_graph, a_push_without_room_is_an_error_that_names_the_channel) {
  for (const aggregator_place place : both_places) {
    runtime on(on_device(place));
    graph g(on, "careless graph");
    const auto in = g.channel<int>("in", 1024);
    const auto out = g.channel<int>("narrow", 64);
    const auto count = g.accumulator<long>();
    g.kernel("careless", in, careless{}, out);
    g.kernel("count", out, counts_one{}, count);
    for (int i = 0; i < 1000; ++i) g.push(in, i);
    std::string message;
    try {
      run(g);
    } catch (const channels::error& e) {
      message = e.what();
    }
    for (const char* const word : {"careless", "narrow", "of 64", "reserve", "try_push"})
      EXPECT_NE(message.find(word), std::string::npos) << message;
  }
}

/// Elements come while the graph runs, and go to two channels each.
TEST(gpu_graph, a_run_is_fed_and_fans_out) {
  for (const aggregator_place place : both_places) {
    runtime on(on_device(place));
    graph g(on, "fed");
    const auto in = g.channel<int>("in", 64);
    const auto left = g.channel<int>("left", 32);
    const auto right = g.channel<int>("right", 16);
    const auto lefts = g.accumulator<long>();
    const auto rights = g.accumulator<long>();
    g.fan_out("both", in, left, right);
    g.kernel("count left", left, counts_one{}, lefts);
    g.kernel("count right", right, counts_one{}, rights);
    auto all = g.feed(in);
    g.execute();
    for (int i = 0; i < 1000; ++i) all.push(i);
    all.close();
    ASSERT_TRUE(g.wait());
    EXPECT_EQ(lefts.value(), 1000);
    EXPECT_EQ(rights.value(), 1000);
  }
}

TEST(gpu_graph, random_graphs_find_what_a_worklist_finds) {
#if defined(CHANNELS_GPU_EMULATED)
  constexpr int graphs = channels::testing::scaled(40);
#else
  constexpr int graphs = 400;
#endif
  for (const aggregator_place place : both_places) {
    channels::testing::for_each_seed(graphs, [place](std::uint64_t seed) {
      channels::testing::random_graphs::check(seed, on_device(place));
    });
  }
}

/// Two nodes whose batches are at work at the same time, each of more than one wavefront: they add
/// up apart. One compute unit has the fewest parts of an accumulator.
TEST(gpu_graph, batches_at_work_at_once_add_up_apart) {
  namespace graphs = channels::testing::random_graphs;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    graphs::plan p;
    p.s = {2, seed, 8, {2, 2}, {graphs::manner::all_at_once, graphs::manner::all_at_once}};
    p.capacity = {64, 128};
    p.bound = {2, 2};
    for (std::uint32_t i = 0; i < 100; ++i)
      p.first.emplace_back(i % 2, graphs::item{seed * 1000 + i, 0, 0});
    settings s = on_device();
    s.compute_units = 1;
    s.batch = 30;
    runtime on(s);
    ASSERT_EQ(graphs::run(p, on, std::make_index_sequence<2>()), graphs::expect(p).sum) << seed;
  }
}

}  // namespace gpu_channels
