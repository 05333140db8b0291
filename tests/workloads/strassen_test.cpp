#include "examples/tasks/strassen.hpp"

#include <algorithm>  // fill
#include <random>     // mt19937
#include <vector>     // vector

#include "tests/workloads/every_setting.hpp"

namespace channels::testing {
namespace {

/// Two matrices of small integers: all sums are exact.
struct problem {
  explicit problem(std::ptrdiff_t rows)
      : size(rows), a(elements()), b(elements()), c(elements()), expected(elements()) {
    std::mt19937 random(1);
    for (float& x : a) x = static_cast<float>(random() % 8);
    for (float& x : b) x = static_cast<float>(random() % 8);
    tasks::multiply_add({a.data(), size}, {b.data(), size}, {expected.data(), size}, size);
  }

  void reset() { std::fill(c.begin(), c.end(), 0.0F); }
  [[nodiscard]] tasks::strassen::arguments arguments(std::ptrdiff_t cutoff) {
    return {{a.data(), size}, {b.data(), size}, {c.data(), size}, size, cutoff};
  }
  [[nodiscard]] std::size_t elements() const { return static_cast<std::size_t>(size * size); }

  std::ptrdiff_t size;
  std::vector<float> a;
  std::vector<float> b;
  std::vector<float> c;
  std::vector<float> expected;
};

using strassen_with_every_setting = every_setting;

TEST_P(strassen_with_every_setting, returns_the_product) {
  problem p(128);
  run_with_each_memory<tasks::strassen>(
      p.arguments(16), [&] { p.reset(); }, [&] { EXPECT_EQ(p.c, p.expected); });
}
INSTANTIATE_TEST_SUITE_P(, strassen_with_every_setting, all_settings, name_of);

TEST(multiply_add, is_the_product_by_its_definition) {
  for (const std::ptrdiff_t size : {16, 32, 48}) {
    const problem p(size);
    const auto at = [size](std::ptrdiff_t i, std::ptrdiff_t j) {
      return static_cast<std::size_t>(i * size + j);
    };
    for (std::ptrdiff_t i = 0; i < size; ++i) {
      for (std::ptrdiff_t j = 0; j < size; ++j) {
        float sum = 0;
        for (std::ptrdiff_t k = 0; k < size; ++k) sum += p.a[at(i, k)] * p.b[at(k, j)];
        ASSERT_EQ(p.expected[at(i, j)], sum) << size << " rows, row " << i << ", column " << j;
      }
    }
  }
}

using strassen = every_rule;

TEST_P(strassen, of_the_papers_size_returns_the_product) {
  problem p(512);
  runtime on(options());
  call<tasks::strassen>(on, p.arguments(16));
  EXPECT_EQ(p.c, p.expected);
}

TEST_P(strassen, of_1024_rows_returns_the_product) {
  problem p(1024);
  runtime on(options());
  call<tasks::strassen>(on, p.arguments(64));
  EXPECT_EQ(p.c, p.expected);
}
INSTANTIATE_TEST_SUITE_P(, strassen, all_rules, name_of_rule);

}  // namespace
}  // namespace channels::testing
