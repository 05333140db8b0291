// Templates of functions: types, numbers, function objects, comparisons; an iterator range.
// RUN: %host-code-run-and-compare %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t.lowered 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks{{ +}}{{[1-9][0-9]+}}
#include <cilk/cilk.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <utility>
#include <vector>

namespace parallel {

template <class Iterator, class Less>
Iterator part(Iterator first, Iterator last, Less less) {
  auto pivot = *(last - 1);
  Iterator to = first;
  for (Iterator i = first; i < last - 1; ++i) {
    if (less(*i, pivot)) std::swap(*i, *to++);
  }
  std::swap(*to, *(last - 1));
  return to;
}

template <class Iterator, class Less>
void quicksort(Iterator first, Iterator last, Less less) {
  if (last - first < 20) {
    for (Iterator i = first; i < last; ++i) {
      for (Iterator j = i; j > first && less(*j, *(j - 1)); --j) std::swap(*j, *(j - 1));
    }
    return;
  }
  Iterator middle = part(first, last, less);
  cilk_spawn quicksort(first, middle, less);
  quicksort(middle + 1, last, less);
  cilk_sync;
}

template <int Grain, typename T>
T reduce(const T* from, long n) {
  if (n <= Grain) {
    T sum{};
    for (long i = 0; i < n; ++i) sum += from[i];
    return sum;
  }
  const T left = cilk_spawn reduce<Grain>(from, n / 2);
  const T right = reduce<Grain>(from + n / 2, n - n / 2);
  cilk_sync;
  return left + right;
}

template <class T, class F>
void for_each(T* data, long n, F f) {
  cilk_for (long i = 0; i < n; ++i) f(data[i]);
}

}  // namespace parallel

struct twice {
  void operator()(long& x) const { x *= 2; }
};

int main() {
  std::vector<int> numbers(5000);
  unsigned seed = 1;
  for (int& each : numbers) each = static_cast<int>((seed = seed * 1103515245u + 12345u) >> 8);
  std::vector<long> others(numbers.begin(), numbers.end());
  parallel::quicksort(numbers.begin(), numbers.end(), std::less<int>());
  parallel::quicksort(others.data(), others.data() + others.size(), std::greater<long>());
  std::printf("sorted: %d %d\n", std::is_sorted(numbers.begin(), numbers.end()),
              std::is_sorted(others.rbegin(), others.rend()));
  parallel::for_each(others.data(), static_cast<long>(others.size()), twice());
  std::printf("sums: %ld %d\n", parallel::reduce<64>(others.data(), 5000) % 1000003,
              parallel::reduce<10>(numbers.data(), 100) % 10007);
  return 0;
}
