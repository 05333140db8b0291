// Lists, streams and sums of floating-point numbers in recursion, on the host's channels: devices have
// neither lists nor streams.
// RUN: %host-code-run-and-compare %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t.lowered 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks{{ +}}{{[1-9][0-9]+}}
#include <cilk/cilk.h>
#include <cilk/ostream_reducer.h>
#include <cilk/reducer_list.h>
#include <cilk/reducer_ostream.h>
#include <cilk/reducer_opadd.h>
#include <cstdio>
#include <iostream>
#include <list>
#include <string>
cilk::reducer<cilk::op_list_append<int> > primes;
cilk::reducer_list_append<std::string> names;
cilk::ostream_reducer<char> out(std::cout);
cilk::reducer_opadd<double> weight;
static bool prime(int n) { for (int d = 2; d * d <= n; ++d) if (n % d == 0) return false; return n > 1; }
static void find(int lo, int hi) {
  if (hi - lo < 3) {
    for (int i = lo; i < hi; ++i) if (prime(i)) { primes->push_back(i); names.push_back("p" + std::to_string(i)); out << i << '\n'; weight += 1.0 / i; }
    return;
  }
  cilk_spawn find(lo, (lo + hi) / 2);
  find((lo + hi) / 2, hi);
  cilk_sync;
}
int main() {
  find(0, 400);
  cilk_for (int i = 0; i < 40; ++i) { out << "row " << i << "\n"; primes->push_back(i); }
  int h = 0;
  for (int x : primes.get_value()) h = h * 31 + x;
  for (const std::string& s : names.get_value()) h = h * 31 + (int)s.size();
  std::printf("%d %.9f\n", h, weight.get_value());
}
