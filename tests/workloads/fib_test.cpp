#include "examples/tasks/fib.hpp"

#include "tests/workloads/every_setting.hpp"

namespace channels::testing {
namespace {

using fib_with_every_setting = every_setting;

TEST_P(fib_with_every_setting, returns_the_serial_result) {
  run_with_each_memory<tasks::fib>(
      {16}, [] {}, [](long n) { EXPECT_EQ(n, tasks::serial_fib(16)); });
}
INSTANTIATE_TEST_SUITE_P(, fib_with_every_setting, all_settings, name_of);

using fib = every_rule;

TEST_P(fib, of_the_papers_size_returns_the_serial_result_from_as_many_tasks_as_calls) {
  runtime on(options());
  EXPECT_EQ(call<tasks::fib>(on, {24}), tasks::serial_fib(24));
  EXPECT_EQ(on.last_run().work.tasks, static_cast<std::uint64_t>(2 * tasks::serial_fib(25) - 1));
}

TEST_P(fib, of_32_returns_the_serial_result) {
  runtime on(options());
  EXPECT_EQ(call<tasks::fib>(on, {32}), tasks::serial_fib(32));
}
INSTANTIATE_TEST_SUITE_P(, fib, all_rules, name_of_rule);

}  // namespace
}  // namespace channels::testing
