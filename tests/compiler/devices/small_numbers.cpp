// Template arguments of small types, sums of 128 bits, empty braces, arrays of what has a constructor.
// RUN: %device-run-and-compare %s -std=c++20
// RUN: %cilk2chan -O0 --device=emulated -std=c++20 --explain %s -o %t.out 2>&1 | FileCheck %s
// CHECK: tasks: 6 of 6 functions
#include <cilk/cilk.h>

#include <cstdio>

template <unsigned char C, short S, signed char D, unsigned short U, char L>
static long numbers(int n) {
  if (n < 2) return C + 3 * S + 5 * D + 7 * U + 11 * L + n;
  long a = cilk_spawn numbers<C, S, D, U, L>(n - 1);
  long b = numbers<C, S, D, U, L>(n - 2);
  cilk_sync;
  return a + b;
}
template <unsigned char High>
static long loops() {
  long seen[256] = {};
  cilk_for (unsigned i = 100; i < High; ++i) seen[i] = i;
  long sum = 0;
  for (long each : seen) sum += each;
  return sum;
}
static __int128 wide(int n) {
  if (n == 0) return static_cast<__int128>(1) << 70;
  __int128 a = cilk_spawn wide(n - 1);
  __int128 b = wide(n - 1);
  cilk_sync;
  return a + b;
}
static unsigned long braces(int n) {
  if (n < 2) return 1;
  unsigned long a = cilk_spawn braces(n - 1), b{};
  const char* text{};
  b += braces(n - 2) + (text == nullptr);
  cilk_sync;
  return a + b;
}
struct tally {
  long x = 0, o = 3;
};
static tally explore(int n) {
  if (n < 2) return {n + 1L, 0};
  tally r[2];
  const long before = r[1].o;
  for (int i = 0; i < 2; ++i) r[i] = cilk_spawn explore(n - 1 - i);
  cilk_sync;
  tally all;
  for (const tally& each : r) {
    all.x += each.x;
    all.o += each.o + before;
  }
  return all;
}

int main() {
  std::printf("%ld %ld\n", numbers<200, -300, -100, 60000, '\xc8'>(8), numbers<3, 3, 3, 3, 'a'>(8));
  std::printf("%ld\n", loops<250>());
  const __int128 sum = wide(3);
  std::printf("%lx %lx\n", static_cast<long>(sum >> 64), static_cast<long>(sum));
  const tally all = explore(9);
  std::printf("%lu %ld %ld\n", braces(9), all.x, all.o);
}
