// When the waves of place 0 find that a run has ended, and when not.

#include <gtest/gtest.h>

#include <cstdint>  // fixed-width integers

#include "runtime/net/termination_waves.hpp"
#include "tests/net/places.hpp"

namespace channels::testing {
namespace {

using detail::termination_waves;
using detail::wave_report;
using verdict = termination_waves::verdict;

wave_report report_of(std::uint64_t wave, std::uint64_t sent, std::uint64_t done, bool passive) {
  wave_report r;
  r.wave = wave;
  r.sent = sent;
  r.done = done;
  r.passive = passive ? 1 : 0;
  return r;
}

verdict wave(termination_waves& w, const wave_report& zero, const wave_report& one) {
  const std::uint64_t number = w.begin();
  for (std::uint32_t p : {1U, 0U}) {
    wave_report r = p == 0 ? zero : one;
    r.wave = number;
    EXPECT_EQ(w.waits_for_me(), p == 0);
    w.take(p, r);
  }
  EXPECT_FALSE(w.is_out());
  return w.judge();
}

TEST(waves, two_equal_ones_end_a_run) {
  termination_waves w(2);
  EXPECT_EQ(wave(w, report_of(0, 5, 3, true), report_of(0, 3, 5, true)), verdict::perhaps_ended);
  EXPECT_EQ(wave(w, report_of(0, 5, 3, true), report_of(0, 3, 5, true)), verdict::ended);
}

TEST(waves, an_element_on_its_way_is_seen) {
  termination_waves w(2);
  EXPECT_EQ(wave(w, report_of(0, 5, 3, true), report_of(0, 3, 4, true)), verdict::goes_on);
  EXPECT_EQ(wave(w, report_of(0, 5, 3, true), report_of(0, 3, 4, true)), verdict::goes_on);
}

TEST(waves, equal_sums_that_have_grown_do_not_end_a_run) {
  termination_waves w(2);
  // The first wave saw an element's arrival and not its departure, and missed another.
  EXPECT_EQ(wave(w, report_of(0, 5, 3, true), report_of(0, 3, 5, true)), verdict::perhaps_ended);
  EXPECT_EQ(wave(w, report_of(0, 6, 3, true), report_of(0, 3, 6, true)), verdict::perhaps_ended);
  EXPECT_EQ(wave(w, report_of(0, 6, 3, true), report_of(0, 3, 6, true)), verdict::ended);
}

TEST(waves, a_place_that_is_not_passive_ends_nothing) {
  termination_waves w(2);
  EXPECT_EQ(wave(w, report_of(0, 0, 0, true), report_of(0, 0, 0, false)), verdict::goes_on);
  EXPECT_EQ(wave(w, report_of(0, 0, 0, true), report_of(0, 0, 0, true)), verdict::perhaps_ended);
  EXPECT_EQ(wave(w, report_of(0, 0, 0, false), report_of(0, 0, 0, true)), verdict::goes_on);
  EXPECT_EQ(wave(w, report_of(0, 0, 0, true), report_of(0, 0, 0, true)), verdict::perhaps_ended);
}

TEST(waves, an_answer_to_an_earlier_wave_does_not_count) {
  termination_waves w(2);
  w.begin();
  w.take(1, report_of(0, 0, 0, true));
  EXPECT_FALSE(w.waits_for_me());
  w.take(1, report_of(1, 0, 0, true));
  w.take(1, report_of(1, 7, 0, true));  // the same wave again
  EXPECT_TRUE(w.waits_for_me());
}

/// One element goes round while all other places have nothing to do: the run ends when it has come
/// to its end, and not before.
TEST(waves, a_run_does_not_end_while_one_element_is_on_its_way) {
  constexpr std::uint64_t hops = 60;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    thread_faults f;
    f.seed = seed;
    f.delay = std::chrono::microseconds(seed % 3 == 0 ? 0 : 300);
    f.lost = seed % 4 == 0 ? 0.1 : 0;
    f.doubled = seed % 5 == 0 ? 0.1 : 0;
    world_options quick;
    quick.resend_after = std::chrono::microseconds(300);
    std::vector<std::uint64_t> seen(3);
    const job_result r = run_places(
        3, f,
        [&](world& w) {
          runtime on(place_settings());
          graph g(on, w, "one");
          const auto here = g.channel<std::uint64_t>("here", 4);
          const auto far = g.far(here, ring());
          const auto sum = g.accumulator<std::uint64_t>();
          g.kernel(
              "send on", here,
              [](auto& lane, std::uint64_t left, auto& out, std::uint64_t& n) {
                if (left != 0 && !out.reserve(1)) return lane.retry();
                ++n;
                if (left != 0) out.push(left - 1);
                return lane.done();
              },
              far, sum);
          if (w.here() == seed % 3) g.push(far, hops - 1);
          g.execute();
          g.wait();
          seen[w.here()] = sum.value();
        },
        quick);
    for (const std::string& e : r.errors) EXPECT_EQ(e, "") << "seed " << seed;
    EXPECT_EQ(seen[0] + seen[1] + seen[2], hops) << "seed " << seed;
  }
}

}  // namespace
}  // namespace channels::testing
