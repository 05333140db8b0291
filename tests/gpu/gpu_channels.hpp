#pragma once

// Channels and the aggregator with a GPU behind the device interface: graphs, and tasks that go
// through channels, give the answers that they give on the host. Included once by a source for each
// vendor's compiler, and by one for emulation, which is slow: it says how large the problems are.

#include "channels/gpu/graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>  // max
#include <cstdio>     // fprintf
#include <cstdlib>    // _Exit
#include <memory>     // shared_ptr
#include <numeric>    // iota
#include <string>     // string
#include <utility>    // pair
#include <vector>     // vector

#include "gpu_tasks.hpp"
#include "tasks/chain.hpp"
#include "tasks/fib.hpp"
#include "tasks/queens.hpp"
#include "tasks/sort.hpp"
#include "tasks/strassen.hpp"
#include "tests/channel/seed.hpp"

namespace gpu_channels {

using channels::graph;
using channels::outcome;
using channels::readiness;
using channels::runtime;
using channels::settings;
using gpu_tasks::count_leaves;

using channels::aggregator_home;

inline settings on_device(aggregator_home home = aggregator_home::host) {
  settings s;
  s.device = channels::gpu::device_name;
  s.home = home;
  s.timeout = std::chrono::seconds(20);
  return s;
}

/// An array that host and device use.
template <class T>
class shared_array {
 public:
  shared_array(runtime& on, std::size_t size)
      : memory_(on.on().make_shared_memory(size * sizeof(T))), size_(size) {
    std::fill(begin(), end(), T{});
  }
  [[nodiscard]] T* begin() const { return static_cast<T*>(memory_.get()); }
  [[nodiscard]] T* end() const { return begin() + size_; }
  T& operator[](std::size_t i) const { return begin()[i]; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::shared_ptr<void> memory_;
  std::size_t size_;
};

inline void run(graph& g) {
  g.execute();
  ASSERT_TRUE(g.wait());
}

inline long leaves_of_fib(int n) {
  return n <= 2 ? 1 : leaves_of_fib(n - 1) + leaves_of_fib(n - 2);
}

const aggregator_home both_homes[] = {aggregator_home::host, aggregator_home::device};

inline void count_the_leaves(aggregator_home home) {
  runtime on(on_device(home));
  graph g(on, "fib");
  const auto fib = g.channel<int>("fib", 32768);
  const auto result = g.accumulator<long>();
  g.kernel("fib", fib, count_leaves{}, channels::up_to(2, fib), result);
  for (int i = 0; i < 2; ++i) {  // the second run starts from nothing again
    g.push(fib, 18);
    run(g);
    EXPECT_EQ(result.value(), leaves_of_fib(18));
    EXPECT_EQ(g.counted().work.tasks, static_cast<std::uint64_t>(2 * leaves_of_fib(18) - 1));
    EXPECT_EQ(g.counted().residences != 0, home == aggregator_home::device);
  }
}
TEST(gpu_graph, one_node_and_one_channel_count_the_leaves_of_a_recursion) {
  for (const aggregator_home home : both_homes) count_the_leaves(home);
}

/// The same without a bound on what a lane writes, in a channel that is nearly too small.
inline void fill_the_channel(aggregator_home home) {
  settings s = on_device(home);
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
  for (const aggregator_home home : both_homes) fill_the_channel(home);
}

inline void overfill_the_channel(aggregator_home home) {
  runtime on(on_device(home));
  graph g(on, "fib");
  const auto fib = g.channel<int>("leaves", 8);
  const auto result = g.accumulator<long>();
  g.kernel("fib", fib, count_leaves{}, channels::up_to(2, fib), result);
  g.push(fib, 20);
  try {
    run(g);
    FAIL() << "it ended";
  } catch (const channels::error& e) {
    EXPECT_NE(std::string(e.what()).find("leaves"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("of 8 elements"), std::string::npos) << e.what();
  }
}
TEST(gpu_graph, a_channel_full_of_elements_that_need_room_is_an_error) {
  for (const aggregator_home home : both_homes) overfill_the_channel(home);
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

inline void push_points(aggregator_home home) {
  runtime on(on_device(home));
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
  for (const aggregator_home home : both_homes) push_points(home);
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
  for (const aggregator_home home : both_homes) {
    settings s = on_device(home);
    count_fib_with_frames(s, 14);
    s.batch = 7;
    s.capacity = 16;
    count_fib_with_frames(s, 9);
    s = on_device(home);
    s.force_yield = 0.3;
    count_fib_with_frames(s, 10);
  }
}

TEST(gpu_graph, what_an_aggregator_on_the_device_cannot_do_is_said_at_the_start) {
  settings s = on_device(aggregator_home::device);
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
  g.kernel<channels::detail::host_code>("only_here", c, nothing{});
  g.push(c, 1);
  try {
    g.execute();
    FAIL() << "it started";
  } catch (const channels::error& e) {
    EXPECT_NE(std::string(e.what()).find("only_here"), std::string::npos) << e.what();
  }
}

/// Waits for what nobody does.
struct never_returns {
  template <class Lane>
  CHANNELS_DEVICE void operator()(Lane& /*lane*/, int /*e*/, const std::uint32_t* flag) const {
    while (channels::detail::atomic_load<channels::detail::order::relaxed>(flag) == 0) {
    }
  }
};

/// In a process of its own, which ends without tidying up.
[[noreturn]] inline void meet_a_kernel_that_never_returns(aggregator_home home) {
  settings s = on_device(home);
  s.timeout = std::chrono::milliseconds(300);
  std::string first;
  std::string second;
  {
    runtime on(s);
    graph g(on, "endless");
    const shared_array<std::uint32_t> flag(on, 1);
    const auto c = g.channel<int>("c", 16);
    g.kernel("waits", c, never_returns{}, static_cast<const std::uint32_t*>(flag.begin()));
    g.push(c, 1);
    for (std::string* const said : {&first, &second}) {
      try {
        g.execute();
        g.wait();
      } catch (const channels::error& e) {
        *said = e.what();
      }
      if (said == &first) g.push(c, 1);
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
  for (const aggregator_home home : both_homes) {
    EXPECT_EXIT(meet_a_kernel_that_never_returns(home), ::testing::ExitedWithCode(0), "");
  }
}

// Tasks.

template <class Check>
void with_each_setting(std::size_t minimum_levelized, std::size_t minimum_counted,
                       const Check& check) {
  for (const auto& [home, rule] : {std::pair{aggregator_home::host, readiness::levelized},
                                   std::pair{aggregator_home::host, readiness::counted},
                                   std::pair{aggregator_home::device, readiness::levelized},
                                   std::pair{aggregator_home::device, readiness::counted}}) {
    const std::size_t minimum = rule == readiness::levelized ? minimum_levelized : minimum_counted;
    for (const double forced : {0.0, 0.3}) {
      for (const std::size_t memory : {std::size_t{64} << 20U, minimum}) {
        if (forced > 0 && memory == minimum) continue;  // emulated, that takes minutes
        settings s = on_device(home);
        s.rule = rule;
        s.force_yield = forced;
        s.memory = memory;
        SCOPED_TRACE(::testing::Message()
                     << (rule == readiness::counted ? "counted" : "levelized")
                     << ", aggregator on the "
                     << (home == aggregator_home::host ? "host" : "device") << ", forced yields "
                     << forced << ", " << memory << " bytes");
        runtime on(s);
        check(on);
        if (forced > 0) {
          EXPECT_GT(on.last_run().work.retries + on.last_run().work.yields, 0U);
        }
      }
    }
  }
}

/// Calls `check(runtime)` in ample memory and in what `Task` needs at least.
template <channels::task Task, class Check>
void with_each_setting(std::uint32_t levels, const Check& check) {
  settings s;
  const std::size_t levelized = channels::minimum_memory<Task>(s, levels);
  s.rule = readiness::counted;
  with_each_setting(levelized, channels::minimum_memory<Task>(s, levels), check);
}

TEST(gpu_channels, fib_in_each_setting) {
  with_each_setting<tasks::fib>(
      9, [](runtime& on) { EXPECT_EQ(channels::call<tasks::fib>(on, {9}), tasks::fast_fib(9)); });
}

TEST(gpu_channels, queens_in_each_setting) {
  with_each_setting<tasks::queens>(8, [](runtime& on) {
    EXPECT_EQ(channels::call<tasks::queens>(on, {tasks::empty_board(5), 0}), 10);
  });
}

TEST(gpu_channels, a_chain_is_as_deep_as_it_is) {
  with_each_setting<tasks::chain>(
      31, [](runtime& on) { EXPECT_EQ(channels::call<tasks::chain>(on, {30}), 30); });
}

TEST(gpu_channels, too_deep_is_an_error_and_the_next_run_is_none) {
  settings s = on_device();
  s.levels = 10;
  runtime on(s);
  try {
    (void)channels::call<tasks::chain>(on, {30});
    FAIL() << "it ended";
  } catch (const channels::error& e) {
    EXPECT_NE(std::string(e.what()).find("CHANNELS_LEVELS"), std::string::npos) << e.what();
  }
  EXPECT_EQ(channels::call<tasks::chain>(on, {5}), 5);
}

/// With room for everything, the aggregator on the device hands a call of the counted rule back
/// when it is over, and not before.
TEST(gpu_channels, counted_frames_stay_on_the_device) {
  settings s = on_device(aggregator_home::device);
  s.rule = readiness::counted;
  runtime on(s);
  EXPECT_EQ(channels::call<tasks::fib>(on, {12}), tasks::fast_fib(12));
  EXPECT_EQ(on.last_run().work.tasks, static_cast<std::uint64_t>(2 * tasks::fast_fib(13) - 1));
  EXPECT_EQ(on.last_run().work.resumed, static_cast<std::uint64_t>(tasks::fast_fib(13) - 1));
  EXPECT_EQ(on.last_run().work.yields, 0U);
  EXPECT_GE(on.last_run().residences, 1U);
  EXPECT_LE(on.last_run().residences, 2U);
}

/// Random trees, with settings that are as random: what a frame does depends on neither.
TEST(gpu_channels, frames_of_all_kinds_in_random_settings) {
  channels::testing::for_each_seed(8, [](std::uint64_t seed) {
    channels::testing::dice roll(seed);
    settings s = on_device(roll.once_in(3) ? aggregator_home::host : aggregator_home::device);
    s.rule = roll.once_in(3) ? readiness::levelized : readiness::counted;
    s.batch = roll.power_of_two(2, 12);
    s.capacity = roll.power_of_two(2, 12);
    s.done_group = roll.power_of_two(0, 6);
    const std::uint32_t depth = roll.from(1U, 5U);
    if (roll.once_in(2)) s.memory = channels::minimum_memory<gpu_tasks::moody>(s, depth + 2);
    if (roll.once_in(3)) s.force_yield = 0.2;
    s.seed = seed;
    const gpu_tasks::moody::arguments root{static_cast<std::uint32_t>(seed), depth};
    SCOPED_TRACE(::testing::Message()
                 << (s.rule == readiness::counted ? "counted" : "levelized")
                 << ", aggregator on the " << (s.home == aggregator_home::host ? "host" : "device")
                 << ", batch " << s.batch << ", capacity " << s.capacity << ", done group "
                 << s.done_group << ", " << s.memory << " bytes, forced yields " << s.force_yield
                 << ", depth " << depth);
    runtime on(s);
    EXPECT_EQ(channels::call<gpu_tasks::moody>(on, root), gpu_tasks::moody::serial(root));
  });
}

TEST(gpu_channels, call_each_other_and_write_through_pointers) {
  with_each_setting<gpu_tasks::stamps>(20, [](runtime& on) {
    const shared_array<std::uint8_t> out(on, gpu_tasks::stamps::places(20, 2));
    EXPECT_EQ(channels::call<gpu_tasks::stamps>(on, {out.begin(), 20, 2}),
              2 * static_cast<long>(out.size()));
    for (const std::uint8_t count : out) EXPECT_EQ(count, 2);
  });
}

/// With a cutoff of 16 rows lanes have columns; with one of 64 the group has tiles.
inline void multiply(aggregator_home home, std::ptrdiff_t cutoff) {
  runtime on(on_device(home));
  constexpr std::size_t size = 128;
  const shared_array<float> a(on, size * size);
  const shared_array<float> b(on, size * size);
  const shared_array<float> c(on, size * size);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<float>(i * 7 % 13);
    b[i] = static_cast<float>(i * 5 % 11);
  }
  const auto block = [](const shared_array<float>& m) { return tasks::block{m.begin(), size}; };
  channels::call<tasks::strassen>(on, {block(a), block(b), block(c), size, cutoff});
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      float sum = 0;  // small whole numbers: any order of the sums gives it
      for (std::size_t k = 0; k < size; ++k) sum += a[i * size + k] * b[k * size + j];
      ASSERT_EQ(c[i * size + j], sum) << i << ", " << j;
    }
  }
}
TEST(gpu_channels, strassen_is_the_product) {
  for (const aggregator_home home : both_homes) {
    for (const std::ptrdiff_t cutoff : {16, 64}) multiply(home, cutoff);
  }
}

/// Sorts and merges are leaves that wavefronts run together.
TEST(gpu_channels, sort_sorts) {
  for (const auto& [home, rule] : {std::pair{aggregator_home::host, readiness::levelized},
                                   std::pair{aggregator_home::host, readiness::counted},
                                   std::pair{aggregator_home::device, readiness::levelized},
                                   std::pair{aggregator_home::device, readiness::counted}}) {
    settings s = on_device(home);
    s.rule = rule;
    runtime on(s);
    for (const std::size_t size : {1U, 63U, 700U}) {
      const shared_array<int> data(on, size);
      const shared_array<int> scratch(on, size);
      for (std::size_t i = 0; i < size; ++i) data[i] = static_cast<int>(i * 7919 % 1013);
      std::vector<int> sorted(data.begin(), data.end());
      std::sort(sorted.begin(), sorted.end());
      channels::call<tasks::sort>(
          on, {data.begin(), scratch.begin(), static_cast<std::ptrdiff_t>(size), {100, 90}});
      EXPECT_EQ(std::vector<int>(data.begin(), data.end()), sorted) << size;
    }
  }
}

/// Each task copies its values to memory that it allocates for its children.
inline void add_up_blocks(runtime& on, std::size_t count) {
  const shared_array<long> values(on, count);
  std::iota(values.begin(), values.end(), 0L);
  EXPECT_EQ(channels::call<gpu_tasks::blocks>(on, {values.begin(), static_cast<long>(count)}),
            static_cast<long>(count * (count - 1) / 2));
}

TEST(gpu_channels, tasks_that_allocate_in_each_setting) {
  with_each_setting<gpu_tasks::blocks>(6, [](runtime& on) {
    for (const std::size_t count : {0U, 1U, 2U, 40U}) add_up_blocks(on, count);
  });
}

/// Most tasks find no memory when they ask first: they wait for others, and where all wait, one of
/// the deepest goes on with what is kept for that.
TEST(gpu_channels, tasks_that_allocate_wait_for_each_other) {
  for (const auto& [home, rule] : {std::pair{aggregator_home::host, readiness::counted},
                                   std::pair{aggregator_home::device, readiness::levelized}}) {
    settings s = on_device(home);
    s.rule = rule;
    // All tasks together want three times the half that is for anybody; those of one path, little
    // less than it.
    s.memory = 4 * 5000;
    SCOPED_TRACE(::testing::Message()
                 << (rule == readiness::counted ? "counted" : "levelized") << ", aggregator on the "
                 << (home == aggregator_home::host ? "host" : "device"));
    runtime on(s);
    add_up_blocks(on, 200);
    EXPECT_GT(on.last_run().work.yields, 0U);
  }
}

TEST(gpu_channels, too_little_memory_for_what_a_task_allocates_is_an_error) {
  for (const aggregator_home home : both_homes) {
    settings s = on_device(home);
    s.memory = 1U << 20U;
    runtime on(s);
    try {
      add_up_blocks(on, 200'000);
      FAIL() << "it ended";
    } catch (const channels::error& e) {
      const std::string said = e.what();
      EXPECT_EQ(said.find("blocks"), 0U) << said;
      EXPECT_NE(said.find("level 0"), std::string::npos) << said;
      EXPECT_NE(said.find(std::to_string(200'000 / 3 * 8)), std::string::npos) << said;
      EXPECT_NE(said.find("CHANNELS_MEMORY"), std::string::npos) << said;
    }
    add_up_blocks(on, 40);
  }
}

}  // namespace gpu_channels
