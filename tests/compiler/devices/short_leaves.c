// Leaves in which lanes share loops of few iterations: a wavefront runs one together, or each lane runs one, whatever takes less
// time. Longer loops are the lanes' together.
// RUN: %cilk2chan --device=emulated %s -o %t 2>&1 | count 0
// RUN: %cilk2chan --serial -O1 -ffp-contract=off %s -o %t.serial
// RUN: %t.serial > %t.wanted
// RUN: env CHANNELS_DEVICE=emulated %t | diff %t.wanted -
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_FORCE_YIELD=0.3 %t | diff %t.wanted -
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_CUS=1 CHANNELS_MEMORY=1M %t | diff %t.wanted -
// RUN: %cilk2chan --device=emulated --emit=tasks --no-line %s | grep -v CHECK | FileCheck %s
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

enum { side = 12 };
typedef double block[side];

static double mix(block* to, block* a, block* b) {
  int i, j, k;
  for (i = 0; i < side; i++) {
    double sum[side];
    for (j = 0; j < side; j++) sum[j] = 0;
    for (k = 0; k < side; k++)
      for (j = 0; j < side; j++) sum[j] += a[i][k] * b[k][j];
    for (j = 0; j < side; j++) to[i][j] += sum[j];
  }
  return to[side - 1][side - 1];
}

// CHECK-LABEL: struct mixed_task {
// CHECK: single_lane_leaves = true
// CHECK: ::outcome enter
static double mixed(block* to, block* a, block* b, int n, int row) {
  if (n == 1) return mix(to, a, b);
  int half = n / 2;
  double w = cilk_spawn mixed(to, a, b, half, row);
  double x = cilk_spawn mixed(to + half * side, a, b + half * side, half, row);
  double y = cilk_spawn mixed(to + half * row, a + half * row, b, half, row);
  double z = mixed(to + half * row + half * side, a + half * row, b + half * side, half, row);
  cilk_sync;
  return w + x + y + z;
}

// CHECK-LABEL: struct spread_task {
// CHECK-NOT: single_lane_leaves
// CHECK: ::outcome enter
static void spread(long* to, int n) {
  if (n <= 100) {
    for (int i = 0; i < n; i++) to[i] = to[i] * 3 + n;
    return;
  }
  cilk_spawn spread(to, n / 2);
  spread(to + n / 2, n - n / 2);
  cilk_sync;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 32, row = n * side;
  const size_t all = (size_t)row * n;
  block *to = calloc(all, sizeof *to), *a = calloc(all, sizeof *a), *b = calloc(all, sizeof *b);
  for (size_t i = 0; i < all; i++)
    for (int j = 0; j < side; j++) {
      a[i][j] = (double)((i * 7 + j) % 13);
      b[i][j] = (double)((i + j * 5) % 11);
    }
  for (int run = 0; run < 2; run++) printf("%.1f\n", mixed(to, a, b, n, row));
  double sum = 0;
  for (size_t i = 0; i < all; i++)
    for (int j = 0; j < side; j++) sum = sum * 0.75 + to[i][j];
  printf("%.6f\n", sum);
  long* longs = calloc(5000, sizeof *longs);
  spread(longs, 5000);
  printf("%ld %ld\n", longs[0], longs[4999]);
  free(to);
  free(a);
  free(b);
  free(longs);
  return 0;
}
