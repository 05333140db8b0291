// Depth is limited by memory alone; where memory ends, the error says where and what to set.

#include <gtest/gtest.h>

#include <regex>  // regex_search

#include "tests/support/errors.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/tasks.hpp"

namespace channels::testing {
namespace {

class depth : public ::testing::TestWithParam<readiness> {};

TEST_P(depth, is_limited_by_memory_alone) {
  runtime on(with_units(2, GetParam()));
  EXPECT_EQ(call<chain>(on, {100'000}), 100'000);
  EXPECT_GE(on.last_run().deepest_level, 100'000U);
}

TEST_P(depth, of_a_narrow_recursion_needs_little_memory_for_each_level) {
  settings s = with_units(1, GetParam());
  s.memory = 4U << 20U;
  runtime on(s);
  EXPECT_EQ(call<chain>(on, {2000}), 2000);
}

/// The number of bytes that an error says are needed.
std::uint64_t bytes_asked_for(const std::string& message) {
  std::smatch match;
  if (!std::regex_search(message, match, std::regex("need ([0-9]+) bytes at least"))) return 0;
  return std::stoull(match[1]);
}

TEST_P(depth, beyond_memory_is_an_error_that_says_at_which_level_and_how_much_is_needed) {
  settings s = with_units(1, GetParam());
  s.memory = 64U << 10U;
  std::string message;
  {
    runtime on(s);
    message = error_of([&] { (void)call<chain>(on, {1000}); });
  }
  std::smatch match;
  ASSERT_TRUE(std::regex_search(message, match, std::regex("no room at level ([0-9]+)")))
      << message;
  const unsigned long level = std::stoul(match[1]);
  EXPECT_GT(level, 5U) << message;
  EXPECT_NE(message.find("set CHANNELS_MEMORY higher"), std::string::npos) << message;
  EXPECT_NE(message.find("chain"), std::string::npos) << message;
  EXPECT_GT(bytes_asked_for(message), s.memory) << message;
}

TEST_P(depth, that_an_error_asks_memory_for_is_reached_with_that_memory) {
  settings s = with_units(1, GetParam());
  s.memory = 32U << 10U;
  int tries = 0;
  for (bool done = false; !done && tries < 100; ++tries) {
    runtime on(s);
    try {
      EXPECT_EQ(call<chain>(on, {300}), 300);
      done = true;
    } catch (const error& e) {
      const std::uint64_t needed = bytes_asked_for(e.what());
      ASSERT_GT(needed, s.memory) << e.what();
      s.memory = needed;
    }
  }
  EXPECT_GT(tries, 1);
  EXPECT_LT(tries, 100);
}

TEST_P(depth, beyond_the_levels_allowed_is_an_error_that_names_the_setting) {
  settings s = with_units(2, GetParam());
  s.levels = 10;
  runtime on(s);
  EXPECT_EQ(call<fib>(on, {9}), fib::serial(9));
  expect_error([&] { (void)call<fib>(on, {12}); },
               {"fib", "level 9", "CHANNELS_LEVELS", "10", "needs 11 or more"});
  EXPECT_EQ(call<fib>(on, {8}), fib::serial(8)) << "the runtime goes on after the error";
}

TEST_P(depth, in_any_memory_gives_the_right_answer_or_says_what_is_missing) {
  int answers = 0;
  int refusals = 0;
  for_each_seed(scaled(120), [&](std::uint64_t seed) {
    dice d(seed);
    settings s = random_shape(d);
    s.rule = GetParam();
    s.memory = d.from(std::uint64_t{4096}, std::uint64_t{96} << 10U);
    s.force_yield = d.once_in(4) ? 0.2 : 0;
    SCOPED_TRACE(::testing::Message() << s);
    runtime on(s);
    const auto either = [&](auto run, auto expected) {
      try {
        EXPECT_EQ(run(), expected);
        ++answers;
      } catch (const error& e) {
        EXPECT_NE(std::string(e.what()).find("CHANNELS_MEMORY"), std::string::npos) << e.what();
        ++refusals;
      }
    };
    const int n = d.from(5, 13);
    either([&] { return call<fib>(on, {n}); }, fib::serial(n));
    const int width = d.from(1, 9);
    either([&] { return call<tree>(on, {3, width}); }, tree::serial(3, width));
    either([&] { return call<male>(on, {9}); }, male::serial(9));
  });
  std::cout << answers << " answers, " << refusals << " refusals\n";
}

/// A wide recursion in the memory that a narrow one of its depth needs, and a little more.
TEST_P(depth, decides_how_much_memory_a_recursion_needs_and_not_width) {
  settings s = with_units(1, GetParam());
  s.memory = 512U << 10U;
  runtime on(s);
  EXPECT_EQ(call<fib>(on, {23}), fib::serial(23));
  EXPECT_EQ(call<tree>(on, {4, 8}), tree::serial(4, 8));
  EXPECT_LE(on.last_run().memory_high_water, s.memory);
}

INSTANTIATE_TEST_SUITE_P(rules, depth, ::testing::Values(readiness::levelized, readiness::counted),
                         [](const auto& given) {
                           return given.param == readiness::counted ? "counted" : "levelized";
                         });

TEST(memory, that_the_machine_does_not_have_is_an_error_that_names_the_setting) {
  settings s = with_units(1);
  s.memory = std::uint64_t{1} << 46U;
  runtime on(s);
  try {
    EXPECT_EQ(call<fib>(on, {10}), fib::serial(10));  // some machines promise that much memory
  } catch (const error& e) {
    EXPECT_NE(std::string(e.what()).find("CHANNELS_MEMORY"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace channels::testing
