// A constant number of C whose address the file takes has that address in tasks, too.
// RUN: %cilk2chan --device=emulated %s -o %t
// RUN: %cilk2chan --serial %s -o %t.serial
// RUN: %t.serial > %t.wanted
// RUN: env CHANNELS_ORDER=channels %t | diff %t.wanted -
// RUN: env CHANNELS_DEVICE=emulated %t | diff %t.wanted -
#include <cilk/cilk.h>
#include <stdio.h>
static const unsigned short limit = 6;
const int shown = 40;
static const int plain = 3;
static const unsigned short* where = &limit;
static const int* there = &shown;
static int walk(int n) {
  if (n == 0) return (where == &limit) + 2 * (there == &shown) + plain;
  int a = cilk_spawn walk(n - 1);
  where = &limit;
  int b = walk(n - 1);
  cilk_sync;
  return a + b + (where == &limit ? limit : -1000) + (there == &shown ? *there : -7) + plain;
}
int main(void) {
  int sum = walk(6);
  printf("%d %d\n", sum, where == &limit);
  return 0;
}
