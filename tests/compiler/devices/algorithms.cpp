// Algorithms of the library in tasks, over pointers, with lambdas, objects and functions: what C++20 has as constexpr has code
// for devices. See indirect_cuda.test.
// RUN: %device-run-and-compare %s
#include <cilk/cilk.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

static bool by_last_digit(int a, int b) { return a % 10 != b % 10 ? a % 10 < b % 10 : a < b; }
static long weigh(long sum, int x) { return (sum * 31 + x) % 100003; }

static long some(const int* from, int n, bool (*before)(int, int)) {
  int a[16], b[16], c[32];
  const auto odd = [](int x) { return x % 2 != 0; };
  std::copy(from, from + n, a);
  std::copy_n(from, n, b);
  std::fill(c, c + 32, 7);
  std::fill_n(c, 4, from[0]);
  std::iota(c + 8, c + 16, n);
  long sum = std::accumulate(a, a + n, 0L) + std::accumulate(c, c + 32, 1L, weigh);
  std::sort(a, a + n);
  sum += std::lower_bound(a, a + n, 50) - a + 3 * (std::upper_bound(a, a + n, 50) - a) + std::binary_search(a, a + n, from[n - 1]);
  std::sort(b, b + n, before);
  sum = weigh(sum, b[n / 2]) + std::is_sorted(b, b + n, by_last_digit);
  std::merge(a, a + n, b, b + n, c, std::less<>());
  std::reverse(b, b + n);
  std::rotate(b, b + 1, b + n);
  std::swap(b[0], b[n - 1]);
  std::swap_ranges(a, a + n / 2, b);
  std::nth_element(c, c + 5, c + 2 * n);
  sum = weigh(sum, c[5]) + std::count_if(a, a + n, odd) + std::count(a, a + n, 3) + (std::find(b, b + n, from[1]) - b);
  sum += std::min(a[0], b[0]) + 2 * std::max(a[1], b[1]) + std::clamp(from[0], 10, 20) + *std::min_element(a, a + n) * *std::max_element(b, b + n);
  sum += std::inner_product(a, a + n, b, 0L) % 1009 + std::equal(a, a + n, b) + std::all_of(a, a + n, odd) + std::any_of(a, a + n, odd) + std::gcd(a[0] + 1, b[0] + 1);
  std::partial_sum(a, a + n, c);
  std::adjacent_difference(b, b + n, a);
  std::transform(a, a + n, c, b, [](int x, int y) { return (x * 7 + y) % 1000; });
  std::replace(b, b + n, 7, 70);
  sum += std::unique(c, c + n) - std::remove_if(b, b + n, odd) - (c - b);
  std::for_each(b, b + n, [&sum](int x) { sum = weigh(sum, x); });
  const int* const split = std::partition(a, a + n, odd);
  std::make_heap(a, a + n);
  std::sort_heap(a, a + n);
  return sum + (split - a) + a[n / 3] + std::exchange(a[0], 5) + static_cast<long>(std::distance(std::begin(a), std::end(a)));
}

static long all(const int* from, int n, bool (*before)(int, int)) {
  if (n <= 12) return some(from, n, before);
  long x = cilk_spawn all(from, n / 2, before);
  long y = all(from + n / 2, n - n / 2, before);
  cilk_sync;
  return x * 3 + y;
}

int main() {
  int numbers[400];
  for (int i = 0; i < 400; ++i) numbers[i] = i * 7919 % 101;
  std::printf("%ld %ld\n", all(numbers, 400, by_last_digit), all(numbers, 100, by_last_digit));
}
