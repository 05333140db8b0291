// The reducers of Cilk Plus with an operator, in both spellings.
// RUN: %host-code-run-and-compare %s
#include <cilk/cilk.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_opand.h>
#include <cilk/reducer_opmul.h>
#include <cilk/reducer_opor.h>
#include <cilk/reducer_opxor.h>
#include <complex>
#include <iostream>

cilk::reducer<cilk::op_add<long> > total(7);
cilk::reducer_opadd<int> calls;

static void walk(int low, int high) {
  ++calls;
  if (high - low == 1) { *total += low; *total = *total + 1; return; }
  cilk_spawn walk(low, (low + high) / 2);
  walk((low + high) / 2, high);
  cilk_sync;
}

struct account {
  cilk::reducer_opadd<double> sum{0.5};
  cilk::reducer<cilk::op_xor<unsigned> > marks;
  void fill(int n) {
    cilk_for (int i = 0; i < n; ++i) {
      sum += 0.25 * i;
      sum -= 1;
      *marks ^= static_cast<unsigned>(i * i);
    }
  }
};

static void add_to(cilk::reducer_opadd<int>& to, int n) {
  cilk_for (int i = 0; i < n; ++i) to = to + i;
}

int main() {
  walk(0, 300);
  add_to(calls, 20);
  account made;
  made.fill(100);
  cilk::reducer<cilk::op_mul<unsigned long> > product(3);
  cilk::reducer_opmul<unsigned> other(1);
  cilk::reducer<cilk::op_and<unsigned> > every;
  cilk::reducer_opand<bool> all(true);
  cilk::reducer<cilk::op_or<int> > some;
  cilk::reducer_opxor<int> parity(0);
  cilk::reducer<cilk::op_add<std::complex<double> > > point;
  cilk_for (int i = 1; i < 64; ++i) {
    *product *= static_cast<unsigned long>(2 * i + 1);
    other *= 3;
    *every &= ~static_cast<unsigned>(i & 12);
    all &= i < 64;
    *some |= i & 5;
    parity ^= i;
    *point += std::complex<double>(i, -i);
  }
  std::cout << total.get_value() << ' ' << calls.get_value() << ' ' << made.sum.get_value() << ' '
            << made.marks.get_value() << ' ' << product.get_value() << ' ' << other.get_value() << ' '
            << every.get_value() << ' ' << all.get_value() << ' ' << some.get_value() << ' '
            << parity.get_value() << ' ' << point.get_value() << '\n';
  total.set_value(4);
  long moved = 11;
  total.move_in(moved);
  cilk_for (int i = 0; i < 9; ++i) total.view() += i;
  long out = 0;
  total.move_out(out);
  std::cout << out << '\n';
}
