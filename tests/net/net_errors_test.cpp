// Runs over several places that fail: each ends at all places, in time, and says why.

#include <gtest/gtest.h>

#include <chrono>     // milliseconds
#include <cstdint>    // fixed-width integers
#include <stdexcept>  // runtime_error
#include <string>     // string
#include <thread>     // sleep_for
#include <vector>     // vector

#include "channels/error.hpp"
#include "tests/net/places.hpp"
#include "tests/support/errors.hpp"

namespace channels::testing {
namespace {

using std::chrono::milliseconds;
using clock = std::chrono::steady_clock;

constexpr auto send_on = [](auto& lane, std::uint64_t hops, auto& out) {
  if (hops == 0) return lane.done();
  if (!out.reserve(1)) return lane.retry();
  out.push(hops - 1);
  return lane.done();
};

world_options impatient() {
  world_options o;
  o.patience = milliseconds(300);
  return o;
}

/// Elements go round the places, `hops` times each.
void go_round(world& w, std::uint64_t hops, std::uint64_t capacity = 64) {
  runtime on(place_settings());
  graph g(on, w, "round");
  const auto here = g.channel<std::uint64_t>("here", capacity);
  const auto far = g.far(here, ring());
  g.kernel("send on", here, send_on, far);
  for (int i = 0; i < 20; ++i) g.push(far, hops);
  g.execute();
  g.wait();
}

void expect_words(const std::string& text, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words)
    EXPECT_NE(text.find(word), std::string::npos) << "no '" << word << "' in: " << text;
}

TEST(net_errors, a_place_that_is_killed_is_named_at_all_others) {
  thread_faults f;
  f.killed_place = 2;
  f.killed_after = 20;
  const auto begin = clock::now();
  const job_result r = run_places(3, f, [](world& w) { go_round(w, 1'000'000'000); }, impatient());
  EXPECT_LT(clock::now() - begin, milliseconds(2500));
  for (int p = 0; p < 2; ++p)
    expect_words(r.errors[p], {"place 2 is lost", "300 ms", "far channel 'far here'", "number"});
  expect_words(r.errors[2], {"is lost"});
}

TEST(net_errors, a_place_that_is_killed_on_bad_links_is_named) {
  thread_faults f;
  f.lost = 0.1;
  f.killed_place = 0;
  f.killed_after = 20;
  const job_result r = run_places(3, f, [](world& w) { go_round(w, 1'000'000'000); }, impatient());
  for (int p = 1; p < 3; ++p) expect_words(r.errors[p], {"place 0 is lost", "acknowledged up to"});
}

TEST(net_errors, a_place_that_stalls_for_too_long_is_named) {
  thread_faults f;
  f.stalled_place = 1;
  f.stalled_after = 20;
  f.stalled_for = milliseconds(900);
  const job_result r = run_places(3, f, [](world& w) { go_round(w, 1'000'000'000); }, impatient());
  expect_words(r.errors[0], {"place 1 is lost"});
  expect_words(r.errors[2], {"place 1 is lost"});
  EXPECT_NE(r.errors[1], "");
}

TEST(net_errors, what_a_kernel_node_throws_ends_the_run_at_all_places) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    thread_faults f;
    f.seed = seed;
    f.lost = seed % 2 == 0 ? 0.1 : 0;
    const job_result r = run_places(3, f, [](world& w) {
      runtime on(place_settings());
      graph g(on, w, "thrower");
      const auto here = g.channel<std::uint64_t>("here", 64);
      const auto far = g.far(here, ring());
      g.kernel(
          "send on", here,
          [](auto& lane, std::uint64_t hops, auto& out, std::uint32_t place) {
            if (place == 1 && hops == 49) throw std::runtime_error("the disk of place 1 is full");
            return send_on(lane, hops, out);
          },
          far, w.here());
      if (w.here() == 0) g.push(far, 100);
      g.execute();
      g.wait();
    });
    expect_words(r.errors[0], {"place 1 has failed: the disk of place 1 is full"});
    EXPECT_EQ(r.errors[1], "the disk of place 1 is full");
    expect_words(r.errors[2], {"place 1 has failed: the disk of place 1 is full"});
  }
}

TEST(net_errors, a_place_that_does_not_begin_is_named) {
  const job_result r = run_places(3, {}, [](world& w) {
    if (w.here() == 1) return;
    settings how = place_settings();
    how.timeout = milliseconds(300);
    runtime on(how);
    graph g(on, w, "waiting");
    const auto here = g.channel<std::uint64_t>("here", 64);
    g.kernel("send on", here, send_on, g.far(here, ring()));
    g.execute();
    g.wait();
  });
  expect_words(r.errors[0], {"place 1", "has not begun this run within 300 ms"});
  expect_words(r.errors[2], {"place 1", "has not begun this run within 300 ms"});
}

TEST(net_errors, a_run_in_which_no_place_gets_anywhere_ends) {
  const job_result r = run_places(2, {}, [](world& w) {
    settings how = place_settings();
    how.timeout = milliseconds(300);
    runtime on(how);
    graph g(on, w, "idle");
    const auto here = g.channel<std::uint64_t>("here", 64);
    g.kernel("send on", here, send_on, g.far(here, ring()));
    const auto never_closed = g.feed(here);
    g.execute();
    g.wait();
  });
  expect_words(r.errors[0], {"no place has got anywhere for 300 ms", "place 1: not done"});
  expect_words(r.errors[1], {"place 0 has failed", "no place has got anywhere"});
}

/// Two places whose graphs are not the same; the second makes its own by `change`.
std::string difference(const std::function<void(graph&, bool)>& make) {
  const job_result r = run_places(2, {}, [&](world& w) {
    runtime on(place_settings());
    graph g(on, w, "compared");
    make(g, w.here() == 1);
    g.execute();
    g.wait();
  });
  EXPECT_NE(r.errors[1], "");
  return r.errors[0];
}

TEST(net_errors, graphs_that_differ_are_compared_at_the_start) {
  expect_words(difference([](graph& g, bool other) {
                 const auto here = g.channel<std::uint64_t>("here", other ? 128 : 64);
                 g.kernel("send on", here, send_on, g.far(here, ring()));
               }),
               {"another graph", "capacity 128", "capacity 64"});
  expect_words(difference([](graph& g, bool other) {
                 const auto here = g.channel<std::uint64_t>(other ? "there" : "here", 64);
                 g.kernel("send on", here, send_on, g.far(here, ring()));
               }),
               {"another graph", "'here'", "'there'"});
  expect_words(difference([](graph& g, bool other) {
                 const auto more = [](auto& lane, const auto&) { return lane.done(); };
                 if (other) {
                   const auto here = g.channel<std::uint32_t>("here", 64);
                   g.kernel("more", here, more);
                   static_cast<void>(g.far(here, ring()));
                 } else {
                   const auto here = g.channel<std::uint64_t>("here", 64);
                   g.kernel("more", here, more);
                   static_cast<void>(g.far(here, ring()));
                 }
               }),
               {"another graph", "elements of 4 bytes", "elements of 8 bytes"});
  expect_words(difference([](graph& g, bool other) {
                 const auto here = g.channel<std::uint64_t>("here", 64);
                 g.kernel("send on", here, send_on, g.far(here, ring(), other ? 32 : 64));
               }),
               {"another graph", "landing channels of 32", "landing channels of 64"});
}

TEST(net_errors, a_route_to_a_place_that_does_not_exist_ends_the_run) {
  const job_result r = run_places(2, {}, [](world& w) {
    runtime on(place_settings());
    graph g(on, w, "astray");
    const auto here = g.channel<std::uint64_t>("here", 64);
    const auto far = g.far(here, owner([](std::uint64_t e) { return static_cast<int>(e) - 2; }));
    g.kernel("send on", here, send_on, far);
    if (w.here() == 0) g.push(far, 1);
    g.execute();
    g.wait();
  });
  expect_words(r.errors[0], {"far channel 'far here'", "to place -1", "there are 2 places"});
  expect_words(r.errors[1], {"place 0 has failed"});
}

TEST(net_errors, after_a_run_that_failed_the_world_is_not_used_again) {
  thread_faults f;
  f.killed_place = 1;
  f.killed_after = 20;
  const job_result r = run_places(
      2, f,
      [](world& w) {
        EXPECT_NE(error_of([&] { go_round(w, 1'000'000'000); }), "");
        go_round(w, 1);
      },
      impatient());
  for (const std::string& e : r.errors)
    expect_words(e, {"an earlier run of this world has failed", "make a new world", "is lost"});
}

TEST(net_errors, mistakes_in_making_a_far_channel_are_named) {
  runtime on(place_settings());
  graph alone(on, "alone");
  const auto near = alone.channel<std::uint64_t>("near", 64);
  expect_error([&] { static_cast<void>(alone.far(near, ring())); },
               {"'near'", "give the graph a world"});

  world w(thread_network(1).at(0));
  graph g(on, w, "mistakes");
  const auto here = g.channel<std::uint64_t>("here", 64);
  const auto far = g.far(here, ring());
  expect_error([&] { g.kernel("send on", far, send_on, far); }, {"'far here' is a far channel"});
  expect_error([&] { static_cast<void>(g.far(here, any())); }, {"'far here' already"});
  expect_error([&] { static_cast<void>(g.far(near, any())); }, {"another graph"});
  expect_error([&] { world none(nullptr); }, {"no transport"});
  expect_error([&] { thread_network none(0); }, {"no places"});
  expect_error([&] { thread_network bad(1, {.lost = 1.0}); }, {"lost"});

  world small(thread_network(1, {}, 66).at(0));
  graph h(on, small, "large");
  const auto large = h.channel<std::uint64_t>("large", 64);
  h.kernel("send on", large, send_on, h.far(large, ring()));
  expect_error([&] { h.execute(); }, {"elements of 8 bytes", "larger parcels"});
}

}  // namespace
}  // namespace channels::testing
