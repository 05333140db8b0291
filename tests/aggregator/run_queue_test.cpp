#include <gtest/gtest.h>

#include <deque>   // deque
#include <vector>  // vector

#include "channels/detail/batch.hpp"
#include "runtime/aggregator/run_queue.hpp"
#include "tests/channel/seed.hpp"

namespace channels::detail {
namespace {

using channels::testing::dice;
using channels::testing::for_each_seed;

TEST(run_queue, joins_neighbours_so_that_one_take_has_them_all) {
  run_queue q;
  q.push({10, 5});
  q.push({15, 5});
  q.push({20, 1});
  EXPECT_EQ(q.count(), 11U);
  run into[4];
  std::uint32_t runs = 0;
  EXPECT_EQ(q.take(into, 4, 100, runs), 11U);
  ASSERT_EQ(runs, 1U);
  EXPECT_EQ(into[0], (run{10, 11}));
  EXPECT_EQ(q.count(), 0U);
}

TEST(run_queue, takes_no_more_elements_and_no_more_runs_than_asked_for) {
  run_queue q;
  q.push({0, 4});
  q.push({10, 4});
  q.push({20, 4});
  run into[2];
  std::uint32_t runs = 0;
  EXPECT_EQ(q.take(into, 2, 6, runs), 6U);
  ASSERT_EQ(runs, 2U);
  EXPECT_EQ(into[0], (run{0, 4}));
  EXPECT_EQ(into[1], (run{10, 2}));
  EXPECT_EQ(q.take(into, 1, 100, runs), 2U);
  EXPECT_EQ(into[0], (run{12, 2}));
  EXPECT_EQ(q.take(into, 2, 0, runs), 0U);
  EXPECT_EQ(runs, 0U);
  EXPECT_EQ(q.count(), 4U);
}

TEST(run_queue, gives_back_at_the_front_what_is_put_back_there) {
  run_queue q;
  q.push({5, 2});
  q.push_front({1, 3});
  run into[4];
  std::uint32_t runs = 0;
  EXPECT_EQ(q.take(into, 4, 100, runs), 5U);
  EXPECT_EQ(into[0], (run{1, 3}));
  q.push_front({1, 3});
  EXPECT_EQ(q.count(), 3U);
  EXPECT_EQ(q.take(into, 4, 2, runs), 2U);
  EXPECT_EQ(q.take(into, 4, 2, runs), 1U);
  EXPECT_EQ(into[0], (run{3, 1}));
}

TEST(run_queue, writes_down_by_ticket_what_came_in_another_order) {
  run_queue q;
  q.push({5, 2});
  q.push({20, 4});
  q.push_front({9, 3});
  q.push({1, 3});
  run into[4];
  EXPECT_EQ(q.copy_by_ticket(into, 4), 4U);
  EXPECT_EQ(into[0], (run{1, 3}));
  EXPECT_EQ(into[1], (run{5, 2}));
  EXPECT_EQ(into[2], (run{9, 3}));
  EXPECT_EQ(into[3], (run{20, 4}));
  EXPECT_EQ(q.copy_by_ticket(into, 2), 2U);
  EXPECT_EQ(q.count(), 12U);
  std::uint32_t runs = 0;
  EXPECT_EQ(q.take(into, 1, 100, runs), 3U);
  EXPECT_EQ(into[0], (run{9, 3}));
}

TEST(run_queue, keeps_the_order_of_elements_on_every_random_history) {
  for_each_seed(60, [](std::uint64_t seed) {
    dice d(seed);
    run_queue q;
    std::deque<std::uint64_t> reference;
    std::uint64_t next = 1000;
    const unsigned takes = d.from(2U, 5U);
    for (int step = 0; step < 2000; ++step) {
      if (!d.once_in(takes)) {
        next += d.once_in(2) ? 0 : d.from(1U, 9U);
        const run r{next, d.from(1U, 20U)};
        for (std::uint64_t t = r.first; t < r.end(); ++t) reference.push_back(t);
        next = r.end();
        q.push(r);
      } else {
        run into[batch::most_runs];
        std::uint32_t runs = 0;
        const std::uint32_t most = d.from(0U, 200U);
        const std::uint32_t most_runs = d.from(1U, batch::most_runs);
        const std::uint32_t taken = q.take(into, most_runs, most, runs);
        ASSERT_LE(taken, most);
        ASSERT_LE(runs, most_runs);
        ASSERT_TRUE(taken == most || runs == most_runs || q.count() == 0) << "takes what it may";
        std::vector<std::uint64_t> tickets;
        for (std::uint32_t i = 0; i < runs; ++i)
          for (std::uint64_t t = into[i].first; t < into[i].end(); ++t) tickets.push_back(t);
        ASSERT_EQ(tickets.size(), taken);
        for (const std::uint64_t t : tickets) {
          ASSERT_EQ(t, reference.front());
          reference.pop_front();
        }
        if (d.once_in(3)) {  // put some of it back
          const auto keep = d.from(std::size_t{0}, tickets.size());
          for (std::size_t i = tickets.size(); i-- > keep;) {
            q.push_front({tickets[i], 1});
            reference.push_front(tickets[i]);
          }
        }
      }
      ASSERT_EQ(q.count(), reference.size());
    }
  });
}

}  // namespace
}  // namespace channels::detail
