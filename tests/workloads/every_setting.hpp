#pragma once

#include <gtest/gtest.h>

#include <string>  // string
#include <tuple>   // tuple

#include "channels/call.hpp"

namespace channels::testing {

/// A test case for each rule, wavefront width, number of compute units and share of forced yields:
/// settings that decide how a run goes and must not decide what it computes.
class every_setting
    : public ::testing::TestWithParam<std::tuple<readiness, unsigned, unsigned, double>> {
 protected:
  /// Calls `Task` with ample memory, with the stated minimum for the levels that it then had, and
  /// with twice that. `prepare()` is called before each run and `check(result)` after it, or
  /// `check()` if there is none.
  template <task Task, class Prepare, class Check>
  void run_with_each_memory(const typename Task::arguments& arguments, Prepare prepare,
                            Check check) {
    settings s;
    std::tie(s.rule, s.wavefront_width, s.compute_units, s.force_yield) = GetParam();
    const std::uint64_t ample = s.memory;
    std::uint32_t levels = 0;
    for (const unsigned minima : {0U, 1U, 2U}) {
      s.memory = minima == 0 ? ample : minima * minimum_memory<Task>(s, levels);
      SCOPED_TRACE(::testing::Message() << s.memory << " bytes");
      runtime on(s);
      prepare();
      if constexpr (std::is_void_v<typename Task::result_type>) {
        call<Task>(on, arguments);
        check();
      } else {
        check(call<Task>(on, arguments));
      }
      EXPECT_LE(on.last_run().memory_high_water, s.memory);
      if (s.force_yield > 0) check_forced(on.last_run());
      levels = on.last_run().deepest_level + 1;
    }
  }

  /// What a run with forced yields must have met.
  virtual void check_forced(const statistics& run) {
    EXPECT_GT(run.work.retries + run.work.yields, 0U);
  }
};

inline const auto all_settings = ::testing::Combine(
    ::testing::Values(readiness::levelized, readiness::counted), ::testing::Values(8U, 32U, 64U),
    ::testing::Values(1U, 2U), ::testing::Values(0.0, 0.3));

/// counted_width_8_units_2_forced
inline std::string name_of(const ::testing::TestParamInfo<every_setting::ParamType>& info) {
  const auto& [rule, width, units, force_yield] = info.param;
  return std::string(rule == readiness::counted ? "counted" : "levelized") + "_width_" +
         std::to_string(width) + "_units_" + std::to_string(units) +
         (force_yield > 0 ? "_forced" : "");
}

/// A test case for each rule with one unit and two.
class every_rule : public ::testing::TestWithParam<std::tuple<readiness, unsigned>> {
 protected:
  [[nodiscard]] static settings options() {
    settings s;
    std::tie(s.rule, s.compute_units) = GetParam();
    return s;
  }
};

inline const auto all_rules = ::testing::Combine(
    ::testing::Values(readiness::levelized, readiness::counted), ::testing::Values(1U, 2U));

/// counted_units_2
inline std::string name_of_rule(const ::testing::TestParamInfo<every_rule::ParamType>& info) {
  const auto& [rule, units] = info.param;
  return std::string(rule == readiness::counted ? "counted" : "levelized") + "_units_" +
         std::to_string(units);
}

}  // namespace channels::testing
