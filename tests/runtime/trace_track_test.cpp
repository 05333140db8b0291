#include <gtest/gtest.h>

#include <algorithm>   // count_if, fill_n, min
#include <atomic>      // atomic
#include <filesystem>  // temp_directory_path
#include <fstream>     // ifstream
#include <random>      // random_device
#include <thread>      // thread
#include <vector>      // vector

#include <nlohmann/json.hpp>  // a reader of JSON that is not ours

#include "runtime/observe/trace.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/tasks.hpp"

namespace channels::testing {
namespace {

using detail::trace_event;
using detail::trace_track;

/// An event whose words all say the same, so that half of one is seen. It takes a slot.
trace_event small(std::uint32_t n) {
  trace_event e;
  e.start = n;
  e.duration = n;
  e.label = n & 0xFFFFFFU;
  std::fill_n(e.arguments.begin(), 4, n);
  return e;
}

/// Likewise, and takes two slots, unless it is number 0.
trace_event large(std::uint32_t n) {
  trace_event e = small(n);
  e.duration |= std::uint64_t{n} << 32U;
  e.arguments.fill(n);
  return e;
}

bool same(const trace_event& a, const trace_event& b) {
  return a.start == b.start && a.duration == b.duration && a.what == b.what && a.label == b.label &&
         a.arguments == b.arguments;
}

/// Whatever the order in which they come, some of each kind.
trace_event numbered(std::uint32_t n) { return n % 7 < 3 ? large(n) : small(n); }

bool whole(const trace_event& e) { return same(e, numbered(static_cast<std::uint32_t>(e.start))); }

TEST(trace_track, keeps_what_was_put_in_order) {
  trace_track t(16);
  EXPECT_TRUE(t.events().empty());
  for (std::uint32_t i = 0; i < 10; ++i) t.put(numbered(i));
  const auto events = t.events();
  ASSERT_EQ(events.size(), 10U);
  for (std::uint32_t i = 0; i < 10; ++i) {
    EXPECT_EQ(events[i].start, i);
    EXPECT_TRUE(whole(events[i]));
  }
}

TEST(trace_track, keeps_the_newest_and_counts_all) {
  trace_track t(16);
  for (std::uint32_t i = 0; i < 100; ++i) t.put(small(i));
  const auto events = t.events();
  ASSERT_EQ(events.size(), 16U);
  EXPECT_EQ(events.front().start, 84U);
  EXPECT_EQ(events.back().start, 99U);
  EXPECT_EQ(t.count(), 100U);
}

TEST(trace_track, keeps_the_newest_of_large_ones_and_never_half_of_one) {
  trace_track t(16);
  for (std::uint32_t i = 0; i < 300; ++i) {
    t.put(numbered(i));
    const auto events = t.events();
    ASSERT_GE(events.size(), std::min(8U, i + 1));
    ASSERT_EQ(events.back().start, i);
    for (std::size_t k = 0; k < events.size(); ++k) {
      ASSERT_TRUE(whole(events[k]));
      ASSERT_EQ(events[k].start, events[0].start + k);
    }
    ASSERT_EQ(t.count(), i + 1U);
  }
}

TEST(trace_track, keeps_large_values_and_kinds_apart) {
  trace_track t(16);
  std::vector<trace_event> put(4);
  put[0].start = ~std::uint64_t{0};
  put[0].duration = ~std::uint64_t{0};
  put[0].what = trace_event::type::phases;
  put[0].label = detail::no_label;
  put[0].arguments = {1, ~std::uint32_t{0}, 3, 4, 5, 6, 7};
  put[1].duration = ~std::uint32_t{0};
  put[1].arguments = {~std::uint32_t{0}, 2, 3, ~std::uint32_t{0}};
  put[2].duration = std::uint64_t{1} << 32U;
  put[3].what = trace_event::type::instant;
  put[3].arguments[6] = ~std::uint32_t{0};
  for (const trace_event& e : put) t.put(e);
  const auto back = t.events();
  ASSERT_EQ(back.size(), put.size());
  for (std::size_t i = 0; i < put.size(); ++i) EXPECT_TRUE(same(back[i], put[i])) << i;
}

TEST(trace_track, keeps_counters_that_one_event_has) {
  trace_track t(16);
  trace_event e;
  e.what = trace_event::type::counters;
  const std::uint32_t most = ~std::uint32_t{0};
  detail::set_counter(e, 0, {5, most});
  detail::set_counter(e, 1, {6, 0});
  detail::set_counter(e, 2, {});
  t.put(e);
  const trace_event back = t.events().at(0);
  EXPECT_EQ(detail::counter(back, 0).label, 5U);
  EXPECT_EQ(detail::counter(back, 0).value, most);
  EXPECT_EQ(detail::counter(back, 1).label, 6U);
  EXPECT_EQ(detail::counter(back, 2).label, detail::no_label);
}

TEST(trace_track, is_read_without_halves_of_events_while_it_is_written) {
  trace_track t(16);
  std::atomic<bool> end{false};
  std::thread writer([&] {
    for (std::uint32_t i = 0; !end.load(std::memory_order_relaxed); ++i) t.put(numbered(i));
  });
  for (int i = 0; i < scaled(20000); ++i) {
    const auto events = t.events();
    for (std::size_t k = 0; k < events.size(); ++k) {
      ASSERT_TRUE(whole(events[k]));
      ASSERT_EQ(events[k].start, events[0].start + k);
    }
  }
  end = true;
  writer.join();
}

class trace_file : public ::testing::Test {
 protected:
  trace_file() { options.trace = path; }
  ~trace_file() override { std::filesystem::remove(path); }

  [[nodiscard]] nlohmann::json read() const { return nlohmann::json::parse(std::ifstream(path)); }
  [[nodiscard]] std::size_t named(const std::string& what, const std::string& name) const {
    const auto j = read();
    return static_cast<std::size_t>(
        std::count_if(j.at("traceEvents").begin(), j.at("traceEvents").end(), [&](const auto& e) {
          return e.at("name") == what && (name.empty() || e.at("args").at("name") == name);
        }));
  }

  std::string path = std::filesystem::temp_directory_path() /
                     ("channels_" + std::to_string(std::random_device()()) + ".trace");
  settings options = with_units(2);
};

TEST_F(trace_file, is_written_when_a_runtime_goes_and_added_to_by_the_next) {
  for (std::size_t runs = 1; runs <= 3; ++runs) {
    {
      runtime on(options);
      (void)call<fib>(on, {10});
    }
    EXPECT_EQ(named("run fib", ""), runs);
    EXPECT_EQ(named("process_name", "channels on host"), 1U) << "in the same tracks";
    EXPECT_EQ(named("process_name", "channels on host 2"), 0U);
  }
}

TEST_F(trace_file, has_tracks_for_each_of_two_runtimes_side_by_side) {
  {
    runtime one(options);
    runtime two(options);
    (void)call<fib>(one, {10});
    (void)call<fib>(two, {11});
  }
  EXPECT_EQ(named("process_name", "channels on host"), 1U);
  EXPECT_EQ(named("process_name", "channels on host 2"), 1U);
  EXPECT_EQ(named("run fib", ""), 2U);
}

TEST_F(trace_file, can_be_written_while_a_run_goes_on) {
  std::thread writer;
  {
    runtime on(options);
    std::atomic<bool> end{false};
    writer = std::thread([&] {
      while (!end.load(std::memory_order_relaxed)) detail::write_traces();
    });
    EXPECT_EQ(call<fib>(on, {slower > 1 ? 18 : 25}), fib::serial(slower > 1 ? 18 : 25));
    end = true;
    writer.join();
  }
  EXPECT_EQ(named("run fib", ""), 1U);
}

TEST_F(trace_file, that_cannot_be_written_is_an_error) {
  options.trace = "/nowhere/at.all";
  expect_error([&] { const runtime on(options); }, {"CHANNELS_TRACE=/nowhere/at.all"});
}

TEST(ticks, turn_into_the_time_of_the_steady_clock) {
  const std::uint64_t before = detail::steady_ns();
  const std::uint64_t start = detail::ticks();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const std::uint64_t end = detail::ticks();
  const std::uint64_t after = detail::steady_ns();
  const detail::tick_scale scale;
  const auto tolerance = (after - before) / 1000 + 2000;
  EXPECT_GE(scale.moment(start) + tolerance, before);
  EXPECT_LE(scale.moment(end), after + tolerance);
  EXPECT_GE(scale.duration(end - start), 19'990'000U);
}

}  // namespace
}  // namespace channels::testing
