// OpenCilk's output in serial order.
// RUN: %host-code-run-and-compare %s
#include <cilk/cilk.h>
#include <cilk/ostream_reducer.h>
#include <iostream>
#include <sstream>

cilk::ostream_reducer<char> out = std::cout;

static void walk(int low, int high) {
  if (high - low == 1) { out << low << (low % 20 == 19 ? "\n" : " "); return; }
  cilk_spawn walk(low, (low + high) / 2);
  walk((low + high) / 2, high);
}

int main() {
  walk(0, 200);
  std::ostringstream kept;
  {
    cilk::ostream_reducer<char> text(kept);
    cilk_for (int i = 0; i < 50; ++i) text << i << ',';
  }
  std::cout << kept.str() << '\n';
}
