// Where elements of far channels go, and what else of graphs works with them.

#include <gtest/gtest.h>

#include <atomic>   // atomic
#include <cstdint>  // fixed-width integers
#include <vector>   // vector

#include "tests/net/places.hpp"

namespace channels::testing {
namespace {

constexpr std::uint32_t places = 3;
constexpr std::uint32_t each = 100;

/// How many elements each place has consumed, if each place makes 100 and sends them by `route`.
template <class Route>
std::vector<std::uint64_t> consumed_by(const Route& route) {
  std::vector<std::uint64_t> counts(places);
  const job_result r = run_places(places, {}, [&](world& w) {
    runtime on(place_settings());
    graph g(on, w, "routes");
    const auto here = g.channel<std::uint32_t>("here", 16);
    const auto sum = g.accumulator<std::uint64_t>();
    g.kernel("count", here, [](auto&, std::uint32_t, std::uint64_t& n) { ++n; }, sum);
    const auto far = g.far(here, route);
    for (std::uint32_t i = 0; i < each; ++i) g.push(far, i);
    g.execute();
    g.wait();
    counts[w.here()] = sum.value();
  });
  for (const std::string& e : r.errors) EXPECT_EQ(e, "");
  return counts;
}

TEST(routes, to_one_place) {
  EXPECT_EQ(consumed_by(to(1)), (std::vector<std::uint64_t>{0, places * each, 0}));
}

TEST(routes, to_the_owner) {
  EXPECT_EQ(consumed_by(owner([](std::uint32_t i) { return i < 10 ? 2 : 0; })),
            (std::vector<std::uint64_t>{places * 90, 0, places * 10}));
}

TEST(routes, round_the_ring) {
  EXPECT_EQ(consumed_by(ring()), (std::vector<std::uint64_t>{each, each, each}));
}

TEST(routes, to_all) {
  EXPECT_EQ(consumed_by(all()),
            (std::vector<std::uint64_t>{places * each, places * each, places * each}));
}

TEST(routes, to_any_place_that_has_room) {
  const auto counts = consumed_by(any());
  EXPECT_EQ(counts[0] + counts[1] + counts[2], places * each);
}

/// Stored field by field.
struct pair {
  std::uint32_t key;
  std::uint64_t value;
  using channel_fields = fields<&pair::key, &pair::value>;
};

TEST(routes, elements_stored_by_field_arrive_whole) {
  std::atomic<std::uint64_t> sum{0};
  const job_result r = run_places(places, {}, [&](world& w) {
    runtime on(place_settings());
    graph g(on, w, "fields");
    const auto here = g.channel<pair>("here", 16);
    g.kernel(
        "add", here,
        [](auto&, const pair& p, std::atomic<std::uint64_t>* to) { *to += p.key * p.value; }, &sum);
    const auto far = g.far(here, owner([](const pair& p) { return p.key % places; }));
    for (std::uint32_t i = 1; i <= each; ++i) g.push(far, {i, w.here() + 1ULL});
    g.execute();
    g.wait();
  });
  for (const std::string& e : r.errors) EXPECT_EQ(e, "");
  EXPECT_EQ(sum, (1 + 2 + 3) * (each * (each + 1) / 2));
}

TEST(routes, two_far_channels_lead_to_one_and_one_place_feeds_them) {
  std::atomic<std::uint64_t> sum{0};
  const job_result r = run_places(places, {}, [&](world& w) {
    runtime on(place_settings());
    graph g(on, w, "feeding");
    const auto here = g.channel<std::uint64_t>("here", 16);
    const auto in = g.channel<std::uint64_t>("in", 16);
    g.kernel(
        "add", here, [](auto&, std::uint64_t n, std::atomic<std::uint64_t>* to) { *to += n; },
        &sum);
    const auto next = g.far(here, ring(), 0, "next");
    const auto everywhere = g.far(here, all(), 4, "everywhere");
    g.fan_out("both", in, next, everywhere);
    if (w.here() == 1) {
      auto feed = g.feed(in);
      g.execute();
      for (std::uint64_t i = 1; i <= 1000; ++i) feed.push(i);
      feed.close();
    } else {
      g.execute();
    }
    g.wait();
  });
  for (const std::string& e : r.errors) EXPECT_EQ(e, "");
  EXPECT_EQ(sum, (1 + places) * (1000ULL * 1001 / 2));
}

TEST(routes, a_place_with_several_compute_units_sends_and_receives) {
  std::atomic<std::uint64_t> sum{0};
  const job_result r = run_places(2, {}, [&](world& w) {
    settings how = place_settings();
    how.compute_units = 3;
    runtime on(how);
    graph g(on, w, "units");
    const auto here = g.channel<std::uint64_t>("here", 256);
    const auto far = g.far(here, ring());
    g.kernel(
        "halve", here,
        [](auto& lane, std::uint64_t n, auto& out, std::atomic<std::uint64_t>* to) {
          if (n > 1 && !out.reserve(2)) return lane.retry();
          if (n > 1) {
            out.push(n / 2);
            out.push(n - n / 2);
          } else {
            *to += n;
          }
          return lane.done();
        },
        up_to(2, far), &sum);
    g.push(far, 20'000);
    g.execute();
    g.wait();
  });
  for (const std::string& e : r.errors) EXPECT_EQ(e, "");
  EXPECT_EQ(sum, 40'000U);
}

}  // namespace
}  // namespace channels::testing
