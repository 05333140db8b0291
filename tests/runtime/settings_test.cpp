#include <gtest/gtest.h>

#include <cstdlib>     // setenv
#include <filesystem>  // exists, file_size
#include <fstream>     // ofstream
#include <iterator>    // begin, end
#include <map>         // map
#include <set>         // set
#include <thread>      // jthread
#include <vector>      // vector

#include "channels/graph.hpp"
#include "channels/runtime.hpp"
#include "runtime/settings/environment.hpp"
#include "runtime/settings/table.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/shapes.hpp"

namespace channels::testing {
namespace {

constexpr const char* variables[] = {
    "CHANNELS_DEVICE",       "CHANNELS_DEVICES",    "CHANNELS_CUS",
    "CHANNELS_WIDTH",        "CHANNELS_MEMORY",     "CHANNELS_LEVELS",
    "CHANNELS_BATCH",        "CHANNELS_DONE_GROUP", "CHANNELS_READINESS",
    "CHANNELS_TIMEOUT",      "CHANNELS_SEED",       "CHANNELS_CAPACITY",
    "CHANNELS_FORCE_YIELD",  "CHANNELS_STATS",      "CHANNELS_GIVE",
    "CHANNELS_SPAN",         "CHANNELS_HEAP",       "CHANNELS_DEVICE_MALLOC",
    "CHANNELS_DEVICE_STACK", "CHANNELS_TRACE",      "CHANNELS_TRACE_EVENTS",
    "CHANNELS_GRAPH",        "CHANNELS_PROGRESS",   "CHANNELS_SLOW_AGGREGATOR",
    "CHANNELS_AGGREGATOR",   "CHANNELS_ORDER",      "CHANNELS_POLICY"};

/// Starts each case without any of our variables, and leaves it so.
class settings_from_environment : public ::testing::Test {
 protected:
  settings_from_environment() { clear(); }
  ~settings_from_environment() override { clear(); }

  static settings with(const char* name, const std::string& value) {
    clear();
    setenv(name, value.c_str(), 1);
    return settings::from_environment();
  }
  static void clear() {
    for (const char* const v : variables) unsetenv(v);
  }
};

using namespace std::chrono_literals;

TEST_F(settings_from_environment, are_the_defaults_where_nothing_is_set) {
  const settings s = settings::from_environment();
  const settings d;
  EXPECT_EQ(s.device, d.device);
  EXPECT_EQ(s.devices, "");
  EXPECT_EQ(s.compute_units, d.compute_units);
  EXPECT_EQ(s.wavefront_width, d.wavefront_width);
  EXPECT_EQ(s.memory, d.memory);
  EXPECT_EQ(s.capacity, d.capacity);
  EXPECT_EQ(s.levels, d.levels);
  EXPECT_EQ(s.batch, d.batch);
  EXPECT_EQ(s.done_group, d.done_group);
  EXPECT_EQ(s.rule, d.rule);
  EXPECT_EQ(s.policy, d.policy);
  EXPECT_EQ(s.order, d.order);
  EXPECT_EQ(s.timeout, d.timeout);
  EXPECT_EQ(s.force_yield, d.force_yield);
  EXPECT_EQ(s.slow_aggregator, d.slow_aggregator);
  EXPECT_EQ(s.seed, d.seed);
  EXPECT_EQ(s.statistics, "");
  EXPECT_EQ(s.trace, "");
  EXPECT_EQ(s.trace_events, d.trace_events);
  EXPECT_EQ(s.graph, "");
  EXPECT_FALSE(s.progress);
  EXPECT_FALSE(s.observed());
}

TEST_F(settings_from_environment, read_each_variable) {
  EXPECT_EQ(with("CHANNELS_DEVICE", "host").device, "host");
  EXPECT_EQ(with("CHANNELS_DEVICES", "2").devices, "2");
  EXPECT_EQ(with("CHANNELS_DEVICES", "3,0").devices, "3,0");
  EXPECT_EQ(with("CHANNELS_CUS", "3").compute_units, 3U);
  EXPECT_EQ(with("CHANNELS_CUS", "0").compute_units, 0U);
  EXPECT_EQ(with("CHANNELS_AGGREGATOR", "device").aggregator, aggregator_place::device);
  EXPECT_EQ(with("CHANNELS_AGGREGATOR", "host").aggregator, aggregator_place::host);
  EXPECT_EQ(with("CHANNELS_GIVE", "auto").give, giving::automatic);
  EXPECT_EQ(with("CHANNELS_GIVE", "always").give, giving::always);
  EXPECT_EQ(with("CHANNELS_GIVE", "never").give, giving::never);
  EXPECT_EQ(with("CHANNELS_GIVE", "random").give, giving::random);
  EXPECT_EQ(with("CHANNELS_WIDTH", "32").wavefront_width, 32U);
  EXPECT_EQ(with("CHANNELS_CAPACITY", "1024").capacity, 1024U);
  EXPECT_EQ(with("CHANNELS_LEVELS", "40").levels, 40U);
  EXPECT_EQ(with("CHANNELS_BATCH", "100").batch, 100U);
  EXPECT_EQ(with("CHANNELS_DONE_GROUP", "128").done_group, 128U);
  EXPECT_EQ(with("CHANNELS_READINESS", "counted").rule, readiness::counted);
  EXPECT_EQ(with("CHANNELS_READINESS", "levelized").rule, readiness::levelized);
  EXPECT_EQ(with("CHANNELS_ORDER", "channels").order, run_order::channels);
  EXPECT_EQ(with("CHANNELS_ORDER", "depth-first").order, run_order::depth_first);
  EXPECT_EQ(with("CHANNELS_POLICY", "auto").policy, policy_choice::automatic);
  EXPECT_EQ(with("CHANNELS_POLICY", "bounded-breadth-first").policy,
            policy_choice::bounded_breadth_first);
  EXPECT_EQ(with("CHANNELS_POLICY", "first-come").policy, policy_choice::first_come);
  EXPECT_EQ(with("CHANNELS_POLICY", "level-first").policy, policy_choice::level_first);
  EXPECT_EQ(with("CHANNELS_TIMEOUT", "0.5").timeout, 500ms);
  EXPECT_EQ(with("CHANNELS_TIMEOUT", "90").timeout, 90s);
  EXPECT_EQ(with("CHANNELS_FORCE_YIELD", "0.25").force_yield, 0.25);
  EXPECT_EQ(with("CHANNELS_SLOW_AGGREGATOR", "2.5").slow_aggregator, 2.5);
  EXPECT_EQ(with("CHANNELS_SEED", "42").seed, 42U);
  EXPECT_EQ(with("CHANNELS_STATS", "json").statistics, "json");
  EXPECT_EQ(with("CHANNELS_STATS", "json:a.json").statistics, "json:a.json");
  EXPECT_EQ(with("CHANNELS_STATS", "json:a").statistics, "json:a");
  EXPECT_EQ(with("CHANNELS_STATS", "a.json").statistics, "a.json");
  EXPECT_EQ(with("CHANNELS_STATS", "./a").statistics, "./a");
  EXPECT_EQ(with("CHANNELS_STATS", "0").statistics, "");
  EXPECT_EQ(with("CHANNELS_STATS", "1").statistics, "1");
  EXPECT_EQ(with("CHANNELS_TRACE", "a.trace").trace, "a.trace");
  EXPECT_EQ(with("CHANNELS_TRACE_EVENTS", "1024").trace_events, 1024U);
  EXPECT_EQ(with("CHANNELS_GRAPH", "a.dot").graph, "a.dot");
  EXPECT_TRUE(with("CHANNELS_PROGRESS", "1").progress);
  EXPECT_FALSE(with("CHANNELS_PROGRESS", "0").progress);
}

TEST_F(settings_from_environment, leave_a_gpu_its_own_sizes) {
  settings s = with("CHANNELS_DEVICE", "cuda");
  EXPECT_EQ(s.memory, 0U);
  EXPECT_GT(s.capacity, settings{}.capacity);
  EXPECT_GT(s.batch, settings{}.batch);
  setenv("CHANNELS_MEMORY", "64M", 1);
  EXPECT_EQ(settings::from_environment().memory, 64U << 20U);
  s.device = "host";
  EXPECT_THROW(s.check(), error);
}

TEST_F(settings_from_environment, take_a_seed_of_all_64_bits_exactly) {
  EXPECT_EQ(with("CHANNELS_SEED", "18446744073709551615").seed, ~std::uint64_t{0});
  EXPECT_EQ(with("CHANNELS_SEED", "9007199254740993").seed, 9007199254740993U);
}

TEST_F(settings_from_environment, read_bytes_with_their_unit) {
  EXPECT_EQ(with("CHANNELS_MEMORY", "65536").memory, 65536U);
  EXPECT_EQ(with("CHANNELS_MEMORY", "64K").memory, 65536U);
  EXPECT_EQ(with("CHANNELS_MEMORY", "16m").memory, 16U << 20U);
  EXPECT_EQ(with("CHANNELS_MEMORY", "1.5G").memory, std::uint64_t{3} << 29U);
}

TEST_F(settings_from_environment, refuse_what_makes_no_sense_and_name_the_variable_and_the_value) {
  const std::multimap<std::string, std::string> senseless = {
      {"CHANNELS_DEVICES", "0"},
      {"CHANNELS_DEVICES", "0,0"},
      {"CHANNELS_DEVICES", "1,"},
      {"CHANNELS_DEVICES", "both"},
      {"CHANNELS_CUS", "many"},
      {"CHANNELS_AGGREGATOR", "elsewhere"},
      {"CHANNELS_GIVE", "sometimes"},
      {"CHANNELS_CUS", "-1"},
      {"CHANNELS_CUS", "1.5"},
      {"CHANNELS_CUS", "5000"},
      {"CHANNELS_CUS", "4 "},
      {"CHANNELS_CUS", "99999999999"},
      {"CHANNELS_WIDTH", "7"},
      {"CHANNELS_WIDTH", "65"},
      {"CHANNELS_MEMORY", "64Q"},
      {"CHANNELS_MEMORY", "64KB"},
      {"CHANNELS_MEMORY", "1e300"},
      {"CHANNELS_MEMORY", "100"},
      {"CHANNELS_CAPACITY", "1000"},
      {"CHANNELS_CAPACITY", "2"},
      {"CHANNELS_CAPACITY", "0"},
      {"CHANNELS_CAPACITY", "4294967296"},
      {"CHANNELS_LEVELS", "deep"},
      {"CHANNELS_BATCH", "0"},
      {"CHANNELS_BATCH", "10000000"},
      {"CHANNELS_DONE_GROUP", "48"},
      {"CHANNELS_DONE_GROUP", "0"},
      {"CHANNELS_READINESS", "Counted"},
      {"CHANNELS_POLICY", "deepest"},
      {"CHANNELS_ORDER", "breadth-first"},
      {"CHANNELS_TIMEOUT", "0"},
      {"CHANNELS_TIMEOUT", "soon"},
      {"CHANNELS_TIMEOUT", "-3"},
      {"CHANNELS_TIMEOUT", "inf"},
      {"CHANNELS_FORCE_YIELD", "0.95"},
      {"CHANNELS_FORCE_YIELD", "nan"},
      {"CHANNELS_FORCE_YIELD", "10%"},
      {"CHANNELS_SLOW_AGGREGATOR", "0.5"},
      {"CHANNELS_SLOW_AGGREGATOR", "4x"},
      {"CHANNELS_HEAP", "much"},
      {"CHANNELS_DEVICE_MALLOC", "16"},
      {"CHANNELS_DEVICE_STACK", "1G"},
      {"CHANNELS_SEED", "18446744073709551616"},
      {"CHANNELS_STATS", "json:"},
      {"CHANNELS_STATS", "2"},
      {"CHANNELS_STATS", "1.5"},
      {"CHANNELS_STATS", "yes"},
      {"CHANNELS_STATS", "JSON"},
      {"CHANNELS_TRACE_EVENTS", "1000"},
      {"CHANNELS_TRACE_EVENTS", "8"},
      {"CHANNELS_TRACE_EVENTS", "134217728"},
      {"CHANNELS_PROGRESS", "yes"},
      {"CHANNELS_SEED", "x"}};
  for (const auto& [name, value] : senseless) {
    SCOPED_TRACE(::testing::Message() << name << '=' << value);
    expect_error([&, n = name.c_str(), v = value] { (void)with(n, v); }, {name + "="});
  }
  for (const char* const v : variables) {
    if (std::string_view(v) == "CHANNELS_DEVICE" || std::string_view(v) == "CHANNELS_STATS")
      continue;
    SCOPED_TRACE(v);
    expect_error([&] { (void)with(v, ""); }, {v});
  }
}

TEST_F(settings_from_environment, refuse_variables_that_are_no_settings_and_name_the_nearest) {
  const std::map<const char*, const char*> meant = {
      {"CHANNELS_CU", "CHANNELS_CUS"},
      {"CHANNELS_TRACES", "CHANNELS_TRACE"},
      {"CHANNELS_STAT", "CHANNELS_STATS"},
      {"CHANNELS_MEMROY", "CHANNELS_MEMORY"},
      {"CHANNELS_ODER", "CHANNELS_ORDER"},
      {"CHANNELS_DONEGROUP", "CHANNELS_DONE_GROUP"},
      {"CHANNELS_DEVICE_HEAP", "CHANNELS_DEVICE_STACK"}};
  for (const auto& [name, nearest] : meant) {
    setenv(name, "4", 1);
    expect_error([] { (void)settings::from_environment(); },
                 {std::string(name) + "=4", "no setting", nearest});
    unsetenv(name);
  }
}

TEST_F(settings_from_environment, leave_other_programs_their_variables) {
  for (const detail::other_variable& one : detail::other_variables()) {
    SCOPED_TRACE(one.name);
    const bool was_set = std::getenv(one.name) != nullptr;
    if (!was_set) setenv(one.name, "1", 1);
    EXPECT_NO_THROW((void)settings::from_environment());
    if (!was_set) unsetenv(one.name);
  }
  setenv("OTHER_CHANNELS_CU", "4", 1);
  EXPECT_NO_THROW((void)settings::from_environment());
  unsetenv("OTHER_CHANNELS_CU");
}

TEST(files_of_settings, that_cannot_be_written_are_errors_with_the_reason_before_a_run) {
  const auto refused = [](auto change, const char* value) {
    settings s;
    change(s);
    expect_error([&] { const runtime on(s); },
                 {value, "cannot write", "No such file or directory"});
  };
  refused([](settings& s) { s.trace = "/nowhere/at.all"; }, "CHANNELS_TRACE=/nowhere/at.all");
  refused([](settings& s) { s.graph = "/nowhere/at.all"; }, "CHANNELS_GRAPH=/nowhere/at.all");
  refused([](settings& s) { s.statistics = "json:/nowhere/at.all"; },
          "CHANNELS_STATS=json:/nowhere/at.all");
  settings s;
  s.graph = "/";
  expect_error([&] { const runtime on(s); }, {"CHANNELS_GRAPH=/", "Is a directory"});
}

TEST(files_of_settings, are_as_they_were_when_they_have_been_checked) {
  const std::string folder = ::testing::TempDir() + "files_of_settings";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  settings s;
  s.statistics = "json:" + folder + "/statistics";
  s.graph = folder + "/graph";
  std::ofstream(s.graph) << "kept";
  detail::check_files(s);
  EXPECT_FALSE(std::filesystem::exists(folder + "/statistics"));
  EXPECT_FALSE(std::filesystem::exists(s.graph + ".next"));
  EXPECT_EQ(std::filesystem::file_size(s.graph), 4U);
  std::filesystem::remove_all(folder);
}

TEST(files_of_settings, may_be_checked_by_many_that_start_together) {
  const std::string folder = ::testing::TempDir() + "files_of_many";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  settings s;
  s.graph = folder + "/graph";
  {
    std::vector<std::jthread> together;
    for (int i = 0; i < 4; ++i) {
      together.emplace_back([&s] {
        for (int check = 0; check < 2000; ++check) EXPECT_NO_THROW(detail::check_files(s));
      });
    }
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  std::filesystem::remove_all(folder);
}

TEST_F(settings_from_environment, give_way_to_code) {
  setenv("CHANNELS_CUS", "3", 1);
  setenv("CHANNELS_WIDTH", "16", 1);
  settings s = settings::from_environment();
  s.compute_units = 2;
  const runtime on(s);
  EXPECT_EQ(on.compute_units(), 2U) << "code is stronger than the environment";
  EXPECT_EQ(on.options().wavefront_width, 16U) << "the environment is stronger than the default";
  const runtime by_default;
  EXPECT_EQ(by_default.compute_units(), 3U);
}

TEST_F(settings_from_environment, do_not_reach_a_runtime_that_code_has_set) {
  setenv("CHANNELS_CUS", "nonsense", 1);
  EXPECT_EQ(runtime(with_units(1)).compute_units(), 1U);
}

TEST_F(settings_from_environment, have_help_that_names_every_variable) {
  const std::string help = settings::help();
  for (const char* const v : variables) EXPECT_NE(help.find(v), std::string::npos) << v;
  EXPECT_NE(help.find("CHANNELS_HELP"), std::string::npos);
}

TEST_F(settings_from_environment, have_a_row_of_the_table_for_every_variable) {
  std::set<std::string> tested(std::begin(variables), std::end(variables));
  for (const detail::setting& row : detail::all_settings()) {
    EXPECT_EQ(tested.erase(row.variable), 1U) << row.variable;
  }
  EXPECT_TRUE(tested.empty()) << *tested.begin();
}

TEST_F(settings_from_environment, read_the_defaults_that_the_help_shows) {
  for (const detail::setting& row : detail::all_settings()) {
    SCOPED_TRACE(row.variable);
    const std::string shown = row.show(settings{});
    if (shown.empty()) continue;
    EXPECT_EQ(row.show(with(row.variable, shown)), shown);
  }
}

TEST(settings_in_code, are_checked_as_those_of_the_environment) {
  const auto refused = [](auto change, const char* name) {
    settings s;
    change(s);
    expect_error([&] { s.check(); }, {name});
    expect_error([&] { runtime on(s); }, {name});
  };
  refused([](settings& s) { s.compute_units = 2000; }, "CHANNELS_CUS");
  refused([](settings& s) { s.wavefront_width = 0; }, "CHANNELS_WIDTH");
  refused([](settings& s) { s.memory = 0; }, "CHANNELS_MEMORY");
  refused([](settings& s) { s.memory = ~std::uint64_t{0}; }, "CHANNELS_MEMORY");
  refused([](settings& s) { s.capacity = 3; }, "CHANNELS_CAPACITY");
  refused([](settings& s) { s.batch = 0; }, "CHANNELS_BATCH");
  refused([](settings& s) { s.done_group = 0; }, "CHANNELS_DONE_GROUP");
  refused([](settings& s) { s.timeout = 0ms; }, "CHANNELS_TIMEOUT");
  refused([](settings& s) { s.force_yield = -0.1; }, "CHANNELS_FORCE_YIELD");
  refused([](settings& s) { s.policy = policy_choice{9}; }, "CHANNELS_POLICY");
  refused([](settings& s) { s.slow_aggregator = 0; }, "CHANNELS_SLOW_AGGREGATOR");
}

TEST(settings_in_code, name_a_device_that_there_is) {
  settings s;
  s.device = "abacus";
  expect_error([&] { runtime on(s); }, {"abacus", "CHANNELS_DEVICE", "host"});
}

TEST(settings_in_code, put_the_aggregator_where_it_can_be) {
  settings s;
  s.aggregator = aggregator_place::device;
  runtime on(s);
  graph g(on, "sum");
  const auto numbers = g.channel<int>("numbers", 4);
  g.kernel("add", numbers, [](auto& /*lane*/, int /*n*/) {});
  g.push(numbers, 1);
  expect_error(
      [&] {
        g.execute();
        g.wait();
      },
      {"sum", "'host'", "CHANNELS_AGGREGATOR"});
}

TEST(settings_in_code, of_zero_units_take_one_for_each_core) {
  EXPECT_GE(runtime(with_units(0)).compute_units(), 1U);
}

TEST(settings_of_a_runtime, take_the_former_name_of_the_aggregators_place) {
  settings s;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  s.home = aggregator_home::device;
#pragma GCC diagnostic pop
  const runtime on(s);
  EXPECT_EQ(on.options().aggregator, aggregator_place::device);
}

}  // namespace
}  // namespace channels::testing
