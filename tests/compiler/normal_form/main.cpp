// What runs in parallel is cut out of `main`, of constructors, and of functions with exceptions.
// RUN: %host-code-run-and-compare %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t.lowered 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks{{ +}}{{[1-9][0-9]+}}
// CHECK: main
// CHECK: checked
#include <cilk/cilk.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

static long fib(int n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

template <class T>
T power(T base, int n) {
  if (n == 0) return 1;
  if (n == 1) return base;
  T low = cilk_spawn power(base, n / 2);
  T high = power(base, n - n / 2);
  cilk_sync;
  return low * high;
}

class table {
 public:
  explicit table(int n) : values_(static_cast<unsigned>(n)) {
    cilk_for(int i = 0; i < n; ++i) values_[static_cast<unsigned>(i)] = power<long>(3, i % 12);
  }
  long sum() const {
    long all = 0;
    for (const long one : values_) all += one;
    return all;
  }

 private:
  std::vector<long> values_;
};

static long checked(int n) {
  std::string log = "checked ";
  try {
    if (n > 20) throw std::out_of_range("too large");
    const auto left = cilk_spawn fib(n);
    long right = power(2L, n);
    cilk_sync;
    log += std::to_string(left + right);
  } catch (const std::out_of_range& error) {
    log += error.what();
    long again = cilk_spawn fib(3);
    cilk_sync;
    n = static_cast<int>(again);
  }
  std::printf("%s\n", log.c_str());
  return n;
}

int main() {
  std::vector<double> values(100);
  double* const data = values.data();
  auto& first = values.front();
  int count = 100;
  bool flags[2] = {};
  cilk_for(int i = 0; i < count; ++i) {
    data[i] = static_cast<double>(i) / 4 + static_cast<double>(values.size());
  }
  auto x = cilk_spawn power(1.5, 10);
  first += 2;
  double y = power(0.5, 5);
  flags[0] = y < 1;
  cilk_sync;
  double sum = 0;
  for (double one : values) sum += one;
  std::printf("%g %g %g %d %d\n", sum, x, y, flags[0], flags[1]);
  std::printf("%ld %ld\n", checked(9) + checked(25), table(40).sum());
  const auto print = [&](const char* what) { std::printf("%s %ld\n", what, fib(9)); };
  print("end");
  return 0;
}
