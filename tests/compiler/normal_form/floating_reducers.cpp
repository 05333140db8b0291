// Sums and products of floating-point numbers in loops: a chunk has a view of its own, and views are reduced in serial
// order. Members of a reducer behind '->', and 'r = r + n'.
// RUN: %host-code-run-and-compare %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t.lowered 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks{{ +}}{{[1-9][0-9]+}}
#include <cilk/cilk.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_opmul.h>
#include <cilk/reducer_opor.h>

#include <cmath>
#include <cstdio>

static double value_at(double x) { return 8 / (2 + 2 * x * x); }

static double integral(int n) {
  const double step = 2.0 / (n - 1);
  cilk::reducer_opadd<double> sum(0.0);
  cilk_for (auto i = 0; i < n; i++) sum += value_at(i * step - 1) + value_at((i + 1) * step - 1);
  return 0.5 * sum->get_value() * step;
}

static double product(int n) {
  cilk::reducer<cilk::op_mul<double>> all(1.0);
  cilk_for (int i = 1; i < n; i++) *all *= 1 + 1.0 / (i * (i + 2.0));
  return all.get_value();
}

// Both are read before the loop and after it.
static long members(int n) {
  cilk::reducer_opadd<long> sum(5);
  cilk::reducer_opor<unsigned> bits(1);
  long before = sum->get_value();
  cilk_for (int i = 0; i < n; i++) {
    sum = sum + i;
    sum = sum - 1;
    *sum += 2.75;
    bits->get_reference() |= 1U << (i % 20);
  }
  return before + sum.get_value() * 3 + bits->get_value();
}

// OpenCilk's way.
static void zero(void* view) { *static_cast<double*>(view) = 0; }
static void plus(void* left, void* right) { *static_cast<double*>(left) += *static_cast<double*>(right); }
static double harmonic(int n) {
  double cilk_reducer(zero, plus) sum = 0;
  cilk_for (int i = 1; i <= n; i++) sum += 1.0 / i;
  return sum;
}

int main() {
  std::printf("%.6f %.6f %ld %.6f\n", integral(20000), product(3000), members(1000), harmonic(5000));
  for (int i = 0; i < 3; i++) {
    cilk::reducer_opadd<long> count(0);
    cilk::reducer_opadd<double> total(0.0);
    cilk_for (int j = 0; j < 300; j++) {
      count += 1;
      if (j > 1) total = total + 1.0 / std::sqrt(j);
      if (j > 2) total = total - 1.0 / j;
    }
    std::printf("%.6f %ld\n", total.get_value(), count.get_value());
  }
  return 0;
}
