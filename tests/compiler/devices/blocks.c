// Lanes share what copies and fills long blocks of memory: as a leaf of its own in a function that spawns, with the
// longest words that both ends allow, and as a loop over elements in a leaf.
// RUN: %cilk2chan --device=emulated --explain %s -o %t 2>&1 | FileCheck %s
// RUN: %cilk2chan --serial -O1 %s -o %t.serial
// RUN: %t.serial > %t.wanted
// RUN: env CHANNELS_DEVICE=emulated %t | diff %t.wanted -
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_FORCE_YIELD=0.3 %t | diff %t.wanted -
// RUN: env CHANNELS_ORDER=channels %t | diff %t.wanted -
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void change(char* a, long n) {
  for (long i = 0; i < n; i++) a[i] = (char)(a[i] + i % 7 + 1);
}

// CHECK: behind_syncs_cilk_{{.*}}_1_1: lanes of a GPU share its leaves
// CHECK: behind_syncs_cilk_{{.*}}_1_6: lanes of a GPU share its leaves
static void behind_syncs(char* a, char* spare, long n, int depth) {
  if (depth == 0) {
    change(a, n);
    return;
  }
  cilk_spawn behind_syncs(a, spare, n / 2, depth - 1);
  behind_syncs(a + n / 2, spare + n / 2, n - n / 2, depth - 1);
  cilk_sync;
  memcpy(spare, a, n);
  memmove(a + 3, a, n - 3);
  memmove(a, spare, n);
  memset(spare, depth, n / 3);
}

// CHECK: rows: its loops on a GPU
// CHECK-NEXT: side by side on lanes
// CHECK-NEXT: with its part of a loop inside
// CHECK-NEXT: side by side on lanes
static void rows(double* to, const double* from, int wide, int high, int apart) {
  memset(to, 0, sizeof(double) * (size_t)(wide * high));
  for (int i = 1; i < high; i++)
    memcpy(to + (long)i * wide, from + (long)i * apart, (size_t)wide * sizeof *to);
}
static void tiles(double* to, const double* from, int first, int end, int wide, int apart) {
  if (end - first == 1) {
    rows(to + (long)first * wide * 20, from + (long)first * apart * 20, wide, 20, apart);
    return;
  }
  int middle = first + (end - first) / 2;
  cilk_spawn tiles(to, from, first, middle, wide, apart);
  tiles(to, from, middle, end, wide, apart);
  cilk_sync;
}

int main(void) {
  unsigned long sum = 0;
  for (int shift = 0; shift < 8; shift += 3) {
    for (long n = 90; n < 100000; n = n * 9 + 4) {
      char* a = malloc((size_t)n + 16);
      char* spare = malloc((size_t)n + 16);
      for (long i = 0; i < n; i++) a[shift + i] = (char)(i * 31 % 127), spare[shift + i] = 1;
      behind_syncs(a + shift, spare + shift, n, 2);
      for (long i = 0; i < n; i++)
        sum = sum * 31 + (unsigned char)a[shift + i] + 7 * (unsigned char)spare[shift + i];
      free(a);
      free(spare);
    }
  }
  double* from = malloc(sizeof(double) * 200 * 70);
  double* to = malloc(sizeof(double) * 200 * 50);
  for (int i = 0; i < 200 * 70; i++) from[i] = i % 1013;
  tiles(to, from, 0, 10, 50, 70);
  double all = 0;
  for (int i = 0; i < 200 * 50; i++) all += to[i] * (i % 11);
  printf("%lx %.1f\n", sum, all);
  return 0;
}
