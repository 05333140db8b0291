// Lambdas: in functions that spawn, spawned, called in the body of a cilk_for, generic, as arguments of templates that spawn.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t.lowered 2>&1 | FileCheck %s
// RUN: %cilk2chan --explain --device=emulated --emit=tasks %s -o %t.explained 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// CHECK: tasks{{ +}}{{[1-9][0-9]+}}
// EXPLAIN-NOT: stays on the host
// EXPLAIN: tasks: 7 of 7 functions
#include <cilk/cilk.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <vector>

static long work(long n) {
  long sum = 0;
  for (long i = 0; i < n; ++i) sum += i * i % 7;
  return sum;
}

static long tree(int depth, long base) {
  const int most = 50;
  auto weight = [&](long k) { return work(k % most) + base; };
  if (depth == 0) return weight(base);
  long left = cilk_spawn tree(depth - 1, base + 1);
  long right = tree(depth - 1, base + 2);
  cilk_sync;
  base += 1;
  auto count = [total = left]() mutable { return ++total; };
  count();
  return count() + right + weight(depth);
}

template <class Iterator, class Less>
void quicksort(Iterator begin, Iterator end, Less less) {
  if (end - begin < 24) return std::sort(begin, end, less);
  auto pivot = *(begin + (end - begin) / 2);
  Iterator low = std::partition(begin, end, [&](const auto& x) { return less(x, pivot); });
  Iterator high = std::partition(low, end, [=](const auto& x) { return !less(pivot, x); });
  cilk_spawn quicksort(begin, low, less);
  quicksort(high, end, less);
  cilk_sync;
}

template <class Body>
void parallel_for(int low, int high, Body body) {
  if (high - low <= 8) {
    for (int i = low; i < high; ++i) body(i);
    return;
  }
  const int middle = (low + high) / 2;
  cilk_spawn parallel_for(low, middle, body);
  parallel_for(middle, high, body);
  cilk_sync;
}

template <class First, class Second>
void invoke(const First& first, Second&& second) {
  cilk_spawn first();
  second();
  cilk_sync;
}

class grid {
 public:
  explicit grid(int n) : cells_(n) {}
  void fill(int scale) {
    auto value = [this, scale](int i) { return i * scale + static_cast<int>(cells_.size()); };
    cilk_for(int i = 0; i < static_cast<int>(cells_.size()); ++i) {
      auto twice = [&](int k) { return 2 * value(k + i); };
      cells_[i] = twice(i);
    }
  }
  long sum() const {
    long all = 0;
    for (const int one : cells_) all += one;
    return all;
  }

 private:
  std::vector<int> cells_;
};

int main() {
  std::vector<int> numbers(500);
  unsigned seed = 1;
  for (int& one : numbers) {
    seed = seed * 1103515245 + 12345;
    one = seed >> 8 & 0xffff;
  }
  quicksort(numbers.begin(), numbers.end(), [](int a, int b) { return a > b; });
  std::vector<double> values(300);
  double scale = 0.5;
  parallel_for(0, 300, [&](int i) { values[i] = scale * numbers[i]; });
  long sums[2] = {};
  invoke([&] { for (int x : numbers) sums[0] += x; }, [&] { for (double x : values) sums[1] += static_cast<long>(x); });
  auto deep = [&](int n) { return tree(n, 3); };
  long a = cilk_spawn deep(3);
  long b = deep(4);
  cilk_sync;
  grid cells(100);
  cells.fill(3);
  std::printf("%ld %ld %ld %ld %ld\n", sums[0], sums[1], a, b, cells.sum());
}
