// Loops whose variable wraps around on its way to a limit that it must not be equal to, in types of
// all widths, upwards and downwards.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s
// RUN: cp %s %t.as.cpp
// RUN: %host-code-run-and-compare %t.as.cpp
#include <cilk/cilk.h>
#include <stdint.h>
#include <stdio.h>

static long fib(int n) {
  if (n < 2) return n;
  long a = cilk_spawn fib(n - 1);
  long b = fib(n - 2);
  cilk_sync;
  return a + b;
}
static long loops(int n) {
  int hit[6][64] = {{0}};
  long hash = fib(n);
  cilk_for (uint32_t i = 0xfffffffau; i != 4; i++) hit[0][i & 63]++;
  cilk_for (uint8_t i = 250; i != 6; i += 2) hit[1][i & 63]++;
  cilk_for (uint16_t i = 5; i != 65530; --i) hit[2][i & 63]++;
  cilk_for (uint32_t i = 8; i != 0xfffffff0u; i -= 8) hit[3][i & 63]++;
  cilk_for (uint64_t i = 0xfffffffffffffffaull; i != 4; i++) hit[4][i & 63]++;
  cilk_for (int i = -20; i != 20; i += 4) hit[5][i & 63]++;
  uint32_t left = 0;
  for (uint32_t i = 0xfffffff0u; i != 16; i++) left += i;
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 64; j++) hash = hash * 31 + hit[i][j];
  }
  return hash + left;
}

int main(void) {
  for (int i = 3; i < 7; i++) printf("%ld\n", loops(i));
  return 0;
}
