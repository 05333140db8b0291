// Constants whose addresses tasks may pass on: each GPU has them elsewhere, so such calls are on one GPU.
// RUN: %cilk2chan --device=emulated --emit=tasks %s | FileCheck %s
// RUN: %cilk2chan --device=emulated --emit=tasks -DBY_NAME %s | FileCheck --check-prefix=NAME %s
// CHECK: .addresses = true
// NAME: .addresses = false
#include <cilk/cilk.h>
#include <cstdio>

constexpr int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};

#if defined(BY_NAME)
long sum(int at, int n) {
  if (n == 1) return table[at];
  long x = cilk_spawn sum(at, n / 2);
  long y = cilk_spawn sum(at + n / 2, n - n / 2);
  cilk_sync;
  return x + y;
}
int main() { std::printf("%ld\n", sum(0, 8)); }
#else
long sum(const int* at, int n) {
  if (n == 1) return *at;
  long x = cilk_spawn sum(at, n / 2);
  long y = cilk_spawn sum(at + n / 2, n - n / 2);
  cilk_sync;
  return x + y;
}
long both(int n) {
  if (n == 0) return sum(table, 8);
  long x = cilk_spawn both(n - 1);
  long y = cilk_spawn both(n - 1);
  cilk_sync;
  return x + y;
}
int main() { std::printf("%ld\n", both(2)); }
#endif
