// Variables in the code of a device: static ones, of other files and headers, behind macros, tables that never change,
// hidden by locals of the same name.
// RUN: %device-run-and-compare %s %S/files/globals_elsewhere.c
// RUN: %cilk2chan --device=emulated --emit=tasks %s | FileCheck %s
// CHECK: {{^}}CHANNELS_CILK_TABLE static const int weights[4]
// CHECK-NOT: {{^}}extern {{.*}} weights
// CHECK: {{^.*}}CHANNELS_DEVICE static int helper(int row) { auto& board = *cilk_address_
// Objects of both files, linked later.
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %cilk2chan -O0 --device=emulated -c %s %S/files/globals_elsewhere.c
// RUN: %cilk2chan --device=emulated globals.o globals_elsewhere.o -o objects && ./objects > host && env CHANNELS_DEVICE=emulated ./objects | diff host -
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "files/globals.h"
#define BOARD board[row]
static int total[64];
int calls;
static int board[16];
static const int weights[4] = {1, 2, 3, 4};
static const struct point { int x, y; } moves[2] = {{1, 2}, {3, 4}};
int table[2][2] = {{1, 2}, {3, 4}};
static double* data;
enum { N = 3 };
static const int size = 64;
int twice(int n);
static int helper(int row) { int calls = BOARD; return calls + weights[row & 3] + moves[row & 1].y + table[0][1] + scaled(row) + factor; }
int twice(int n) { return 2 * n + (int)data[n & 7]; }
void walk(int lo, int hi) {
  if (hi - lo == 1) { total[lo] = helper(lo & 15) + twice(lo); return; }
  int mid = (lo + hi) / 2;
  cilk_spawn walk(lo, mid);
  walk(mid, hi);
  cilk_sync;
  if (lo == 0 && hi == size) calls += 1;
}
int main(void) {
  long sum = 0;
  data = malloc(8 * sizeof *data);
  for (int i = 0; i < 8; i++) data[i] = i * 0.5;
  for (int i = 0; i < 16; i++) board[i] = i * i;
  walk(0, size);
  for (int i = 0; i < 64; i++) sum = sum * 31 + total[i];
  printf("%ld %d\n", sum, calls);
  return 0;
}
