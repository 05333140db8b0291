#include "examples/tasks/chain.hpp"

#include <sys/resource.h>  // getrusage

#include "tests/support/errors.hpp"
#include "tests/workloads/every_setting.hpp"

namespace channels::testing {
namespace {

using chain_with_every_setting = every_setting;

TEST_P(chain_with_every_setting, counts_its_levels) {
  run_with_each_memory<tasks::chain>({100}, [] {}, [](long n) { EXPECT_EQ(n, 100); });
}
INSTANTIATE_TEST_SUITE_P(, chain_with_every_setting, all_settings, name_of);

using chain = every_rule;

TEST_P(chain, of_100_000_levels_runs_in_half_a_gigabyte) {
  settings s = options();
  s.memory = std::uint64_t{512} << 20U;
  runtime on(s);
  EXPECT_EQ(call<tasks::chain>(on, {100'000}), 100'000);
  EXPECT_GE(on.last_run().deepest_level, 100'000U);
#ifdef NDEBUG  // sanitizers take memory of their own
  rusage usage{};
  ASSERT_EQ(getrusage(RUSAGE_SELF, &usage), 0);
  EXPECT_LT(usage.ru_maxrss, 600 << 10) << "kilobytes";
#endif
}

TEST_P(chain, without_memory_names_the_task_the_level_and_the_variable) {
  settings s = options();
  s.memory = std::uint64_t{1} << 20U;
  runtime on(s);
  expect_error([&] { (void)call<tasks::chain>(on, {100'000}); },
               {"chain: no room at level ", "CHANNELS_MEMORY higher"});
}
INSTANTIATE_TEST_SUITE_P(, chain, all_rules, name_of_rule);

}  // namespace
}  // namespace channels::testing
