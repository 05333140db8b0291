// Output in serial order, in both spellings of Cilk Plus.
// RUN: %host-code-run-and-compare %s
#include <cilk/cilk.h>
#include <cilk/reducer_ostream.h>
#include <iostream>

cilk::reducer<cilk::op_ostream> out(std::cout);

static void walk(int low, int high) {
  if (high - low == 1) { *out << low << ' '; return; }
  cilk_spawn walk(low, (low + high) / 2);
  walk((low + high) / 2, high);
}

int main() {
  walk(0, 150);
  *out << std::endl;
  cilk::reducer_ostream old(std::cout);
  cilk_for (int i = 0; i < 40; ++i) old << i << (i % 10 == 9 ? "\n" : ",");
  old << std::endl;
}
