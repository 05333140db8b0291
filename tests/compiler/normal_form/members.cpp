// Members of classes, static ones, of class templates, constant ones; what they call and use.
// RUN: %host-code-run-and-compare %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t.lowered 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks{{ +}}{{[1-9][0-9]+}}
#include <cilk/cilk.h>

#include <cstdio>
#include <vector>

class board {
 public:
  explicit board(int n) : size_(n) {}
  long count() const { return place(0, 0, 0, 0); }

 private:
  bool attacked(unsigned columns, unsigned left, unsigned right, int column) const {
    return ((columns | left | right) >> column & 1u) != 0;
  }
  long place(int row, unsigned columns, unsigned left, unsigned right) const {
    if (row == size_) return 1;
    long found[16];
    for (int column = 0; column < size_; ++column) {
      found[column] = 0;
      if (attacked(columns, left, right, column)) continue;
      const unsigned bit = 1u << column;
      found[column] =
          cilk_spawn place(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    cilk_sync;
    long sum = 0;
    for (int column = 0; column < size_; ++column) sum += found[column];
    return sum;
  }
  int size_;
};

template <class Value>
class tree {
 public:
  tree(Value low, Value high) : low_(low), high_(high) {}
  Value sum() const { return sum_between(low_, high_); }

 private:
  static Value half(Value low, Value high) { return low + (high - low) / 2; }
  Value sum_between(Value low, Value high) const;

  Value low_;
  Value high_;
};

template <class Number>
Number tree<Number>::sum_between(Number low, Number high) const {
  if (high - low <= 8) {
    Number sum = 0;
    for (Number i = low; i < high; ++i) sum += i;
    return sum;
  }
  const Number middle = half(low, high);
  Number left = cilk_spawn sum_between(low, middle);
  Number right = sum_between(middle, high);
  cilk_sync;
  return left + right;
}

struct counter {
  long total = 0;
  static long ways(int n) {
    if (n < 2) return 1;
    long a = cilk_spawn ways(n - 1);
    long b = ways(n - 2);
    cilk_sync;
    return a + b;
  }
  void fill(long* to, int n) {
    if (n <= 4) {
      for (int i = 0; i < n; ++i) to[i] = total + i;
      return;
    }
    cilk_spawn fill(to, n / 2);
    fill(to + n / 2, n - n / 2);
    cilk_sync;
  }
};

int main() {
  std::printf("queens: %ld\n", board(8).count());
  std::printf("sum: %d %lld\n", tree<int>(0, 1000).sum(), tree<long long>(5, 100000).sum());
  std::printf("ways: %ld\n", counter::ways(18));
  counter c;
  c.total = 100;
  std::vector<long> numbers(1000);
  c.fill(numbers.data(), 1000);
  long sum = 0;
  for (long each : numbers) sum += each;
  std::printf("filled: %ld\n", sum);
  return 0;
}
