// Far channels over places that are threads, whose links lose, repeat and delay what is sent.

#include <gtest/gtest.h>

#include <atomic>   // atomic
#include <cstdint>  // fixed-width integers
#include <string>   // string
#include <vector>   // vector

#include "channels/error.hpp"
#include "tests/net/places.hpp"

namespace channels::testing {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

/// One of the elements that the host of place `from` makes.
struct ping {
  std::uint32_t from;
  std::uint32_t number;
  std::uint32_t hops;  ///< places that it has still to go to
};

/// How often each place has consumed each element: a row for each place, and in it a count for each
/// element of each source.
struct ledger {
  ledger(std::uint32_t n, std::uint32_t each) : places(n), per_source(each), rows(n * n * each) {}
  std::atomic<std::uint32_t>& at(std::uint32_t place, const ping& e) {
    return rows[(place * places + e.from) * per_source + e.number];
  }
  std::uint32_t places;
  std::uint32_t per_source;
  std::vector<std::atomic<std::uint32_t>> rows;
};

/// Which place an element goes to: a mix, so that all talk with all.
std::uint32_t place_of(const ping& e, std::uint32_t places) {
  return (e.from * 2654435761U + e.number * 40503U + e.hops * 97U) % places;
}

/// Consumes an element here, and sends it on while it has hops left.
struct hop {
  ledger* seen;
  std::uint32_t here;
  template <class Lane, class Out>
  outcome operator()(Lane& lane, const ping& e, Out& out) const {
    if (e.hops != 0 && !out.reserve(1)) return lane.retry();
    // Relaxed: the end of the run orders it before the check.
    seen->at(here, e).fetch_add(1, std::memory_order_relaxed);
    if (e.hops != 0) out.push({e.from, e.number, e.hops - 1});
    return lane.done();
  }
};

struct shape {
  std::uint32_t places = 3;
  std::uint32_t each = 300;  ///< elements that each place makes
  std::uint32_t hops = 2;
  std::uint64_t capacity = 64;
  std::uint64_t landing = 0;
  std::uint32_t runs = 1;
  double force_yield = 0;
};

void hop_at(world& w, const shape& s, std::uint64_t seed, ledger& seen) {
  settings how = place_settings(seed);
  how.force_yield = s.force_yield;
  runtime on(how);
  graph g(on, w, "hops");
  const auto here = g.channel<ping>("here", s.capacity);
  const auto far =
      g.far(here, owner([n = s.places](const ping& e) { return place_of(e, n); }), s.landing);
  g.kernel("hop", here, hop{&seen, w.here()}, far);
  for (std::uint32_t r = 0; r < s.runs; ++r) {
    for (std::uint32_t i = 0; i < s.each; ++i) g.push(far, {w.here(), i, s.hops});
    g.execute();
    g.wait();
  }
}

/// Each element was consumed once, at each place that it was sent to.
void check_all_came(const shape& s, ledger& seen) {
  std::vector<std::uint32_t> expected(seen.rows.size(), 0);
  for (std::uint32_t from = 0; from < s.places; ++from) {
    for (std::uint32_t i = 0; i < s.each; ++i) {
      for (std::uint32_t left = 0; left <= s.hops; ++left) {
        const std::uint32_t place = place_of({from, i, left}, s.places);
        expected[(place * s.places + from) * s.each + i] += s.runs;
      }
    }
  }
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) wrong += seen.rows[i] != expected[i] ? 1 : 0;
  EXPECT_EQ(wrong, 0U) << "of " << expected.size() << " counts";
}

world_counts expect_delivery(const shape& s, thread_faults faults, std::uint64_t seed,
                             world_options options = {}) {
  faults.seed = seed;
  ledger seen(s.places, s.each);
  const job_result r =
      run_places(s.places, faults, [&](world& w) { hop_at(w, s, seed, seen); }, options);
  for (const std::string& e : r.errors) EXPECT_EQ(e, "") << "seed " << seed;
  check_all_came(s, seen);
  EXPECT_EQ(r.total().elements_sent, r.total().elements_arrived) << "seed " << seed;
  return r.total();
}

/// Over links with faults, acknowledgements come soon.
world_options quick() {
  world_options o;
  o.resend_after = microseconds(300);
  return o;
}

TEST(delivery, each_element_is_consumed_once_where_it_was_sent) {
  const world_counts all = expect_delivery({}, {}, 1);
  EXPECT_GT(all.elements_sent, 500U);
  EXPECT_EQ(all.resent, 0U);
}

TEST(delivery, one_place_sends_to_itself) {
  const world_counts all = expect_delivery({.places = 1}, {}, 1);
  EXPECT_EQ(all.elements_sent, 0U);
}

TEST(delivery, runs_follow_each_other) { expect_delivery({.runs = 20}, {}, 1); }

TEST(delivery, runs_follow_each_other_over_bad_links) {
  expect_delivery({.each = 50, .runs = 5},
                  {.lost = 0.2, .doubled = 0.2, .delay = microseconds(200)}, 1, quick());
}

TEST(delivery, parcels_may_overtake_each_other) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    expect_delivery({.each = 100}, {.delay = microseconds(500)}, seed);
}

TEST(delivery, lost_parcels_are_sent_again) {
  std::uint64_t resent = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    resent += expect_delivery({.each = 100}, {.lost = 0.2}, seed, quick()).resent;
  EXPECT_GT(resent, 20U);
}

TEST(delivery, parcels_that_come_twice_count_once) {
  std::uint64_t twice = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    twice += expect_delivery({.each = 100}, {.doubled = 0.3}, seed, quick()).duplicates;
  EXPECT_GT(twice, 20U);
}

TEST(delivery, all_faults_together) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    expect_delivery({.places = 4, .each = 60},
                    {.lost = 0.1, .doubled = 0.1, .delay = microseconds(300)}, seed, quick());
  }
}

TEST(delivery, a_place_that_stalls_for_a_while_goes_on) {
  thread_faults f;
  f.stalled_place = 1;
  f.stalled_after = 5;
  f.stalled_for = milliseconds(100);
  expect_delivery({}, f, 1);
}

TEST(delivery, channels_of_few_elements_wait_for_credit) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const shape s{.each = 200, .hops = 3, .capacity = 2, .landing = 1};
    EXPECT_GT(expect_delivery(s, {}, seed).credit_waits, 0U);
  }
}

TEST(delivery, channels_of_few_elements_over_bad_links) {
  expect_delivery({.each = 40, .capacity = 2, .landing = 2},
                  {.lost = 0.1, .doubled = 0.1, .delay = microseconds(100)}, 1, quick());
}

TEST(delivery, bodies_that_are_refused_room_try_again) {
  expect_delivery({.each = 100, .force_yield = 0.3}, {}, 7);
}

}  // namespace
}  // namespace channels::testing
