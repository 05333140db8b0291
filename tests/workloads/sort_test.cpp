#include "examples/tasks/sort.hpp"

#include <numeric>  // iota
#include <random>   // mt19937
#include <vector>   // vector

#include "tests/workloads/every_setting.hpp"

namespace channels::testing {
namespace {

/// Values with repetitions if `most` is less than `size`.
std::vector<int> random_values(std::size_t size, int most) {
  std::mt19937 random(1);
  std::uniform_int_distribution<int> any(-most, most);
  std::vector<int> values(size);
  for (int& x : values) x = any(random);
  return values;
}

/// What a sort is given and must make of it.
struct problem {
  explicit problem(std::vector<int> values) : unsorted(values), scratch(values.size()) {
    std::sort(values.begin(), values.end());
    sorted = std::move(values);
  }

  void reset() { data = unsorted; }
  template <class Sort = tasks::sort>
  [[nodiscard]] typename Sort::arguments arguments(tasks::sort_cutoffs cutoffs) {
    reset();
    return {data.data(), scratch.data(), static_cast<std::ptrdiff_t>(data.size()), cutoffs};
  }

  std::vector<int> unsorted;
  std::vector<int> sorted;
  std::vector<int> data;
  std::vector<int> scratch;
};

using sort_with_every_setting = every_setting;

TEST_P(sort_with_every_setting, sorts) {
  problem p(random_values(5000, 1 << 30));
  run_with_each_memory<tasks::sort>(
      p.arguments({64, 64}), [&] { p.reset(); }, [&] { EXPECT_EQ(p.data, p.sorted); });
}
INSTANTIATE_TEST_SUITE_P(, sort_with_every_setting, all_settings, name_of);

template <class Sort>
void check_any_input() {
  std::vector<std::vector<int>> inputs;
  for (const std::size_t size : {0U, 1U, 2U, 3U, 4U, 5U, 7U, 63U, 64U, 65U, 1000U, 4099U}) {
    inputs.push_back(random_values(size, 1 << 30));
    inputs.push_back(random_values(size, 3));
    inputs.emplace_back(size, 42);
    inputs.emplace_back(size);
    std::iota(inputs.back().begin(), inputs.back().end(), 0);
    inputs.emplace_back(inputs.back().rbegin(), inputs.back().rend());
  }
  runtime on;
  for (std::vector<int>& input : inputs) {
    problem p(std::move(input));
    for (const std::ptrdiff_t cutoff : {4, 64}) {
      call<Sort>(on, p.template arguments<Sort>({cutoff, cutoff}));
      EXPECT_EQ(p.data, p.sorted) << p.data.size() << " elements, cutoff " << cutoff;
    }
  }
}
TEST(sort_of_any_input, sorts) { check_any_input<tasks::sort>(); }
TEST(sort_of_any_input, sorts_with_merges_in_parts) { check_any_input<tasks::sort_by_parts>(); }

using sort = every_rule;

TEST_P(sort, of_the_papers_size_sorts) {
  problem p(random_values(1'000'000, 1 << 30));
  runtime on(options());
  call<tasks::sort>(on, p.arguments({64, 64}));
  EXPECT_EQ(p.data, p.sorted);
}

TEST_P(sort, of_4_000_000_elements_sorts) {
  problem p(random_values(4'000'000, 1 << 30));
  runtime on(options());
  call<tasks::sort>(on, p.arguments({2048, 2048}));
  EXPECT_EQ(p.data, p.sorted);
}
INSTANTIATE_TEST_SUITE_P(, sort, all_rules, name_of_rule);

}  // namespace
}  // namespace channels::testing
