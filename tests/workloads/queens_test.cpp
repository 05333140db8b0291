#include "examples/tasks/queens.hpp"

#include "tests/workloads/every_setting.hpp"

namespace channels::testing {
namespace {

/// Spawns in a loop, without a reservation before it: it must stop in the middle.
class queens_with_every_setting : public every_setting {
 protected:
  void check_forced(const statistics& run) override { EXPECT_GT(run.work.yields, 0U); }
};

TEST_P(queens_with_every_setting, finds_as_many_solutions_as_the_serial_search) {
  for (const int cutoff : {0, 2}) {
    run_with_each_memory<tasks::queens>(
        {tasks::empty_board(7), cutoff}, [] {}, [](long n) { EXPECT_EQ(n, 40); });
  }
}
INSTANTIATE_TEST_SUITE_P(, queens_with_every_setting, all_settings, name_of);

TEST(serial_queens, finds_the_known_numbers_of_solutions) {
  const long known[] = {1, 0, 0, 2, 10, 4, 40, 92, 352, 724};
  for (unsigned n = 1; n <= 10; ++n) {
    EXPECT_EQ(tasks::serial_queens(tasks::empty_board(n)), known[n - 1]) << n;
  }
}

TEST(queens_on_any_board, finds_as_many_solutions_as_the_serial_search) {
  runtime on;
  for (unsigned n = 1; n <= 9; ++n) {
    const tasks::chess_board board = tasks::empty_board(n);
    for (const int cutoff : {0, 3, 20}) {
      EXPECT_EQ(call<tasks::queens>(on, {board, cutoff}), tasks::serial_queens(board))
          << n << " rows, cutoff " << cutoff;
    }
  }
}

using queens = every_rule;

TEST_P(queens, of_the_papers_size_finds_73712_solutions) {
  runtime on(options());
  for (const int cutoff : {0, 4}) {
    EXPECT_EQ(call<tasks::queens>(on, {tasks::empty_board(13), cutoff}), 73712);
  }
}

TEST_P(queens, on_14_rows_finds_365596_solutions) {
  runtime on(options());
  EXPECT_EQ(call<tasks::queens>(on, {tasks::empty_board(14), 6}), 365596);
}
INSTANTIATE_TEST_SUITE_P(, queens, all_rules, name_of_rule);

}  // namespace
}  // namespace channels::testing
