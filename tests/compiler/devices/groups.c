// Leaves that a wavefront runs together: results, what lanes give each other, and calls that are not spawned.
// RUN: %cilk2chan -O0 --device=emulated --device-aggregator %s -o %t.out 2>&1 | FileCheck %s --allow-empty
// RUN: %t.out > %t.host && env CHANNELS_DEVICE=emulated %t.out | diff %t.host -
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_ORDER=channels %t.out | diff %t.host -
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_ORDER=channels CHANNELS_AGGREGATOR=device CHANNELS_READINESS=counted %t.out | diff %t.host -
// RUN: env CHANNELS_ORDER=channels %t.out | diff %t.host -
// RUN: %t.out | FileCheck %s --check-prefix=HOST
// RUN: env CHANNELS_DEVICE=emulated LANES_SEEN=1 %t.out | FileCheck %s --check-prefix=DEVICE
#include <channels/group.h>
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
// CHECK-NOT: warning
enum { size = 1000 };
static int most_lanes = 1;
CHANNELS_FOR_GROUP static int sum_by_group(const int* from, int count) {
  int sum = 0;
  for (int i = channels_lane(); i < count; i += channels_lanes()) sum += from[i];
  for (unsigned distance = 1; distance < channels_lanes(); distance *= 2)
    sum += channels_of_lane(sum, channels_lane() ^ distance);
  if (channels_lane() == 0) __atomic_store_n(&most_lanes, (int)channels_lanes(), __ATOMIC_RELAXED);
  return channels_lane() == 0 ? sum : -1;
}
CHANNELS_GROUP_LEAF(sum_by_group)
static int sum(const int* from, int count) {
  int sum = 0;
  for (int i = 0; i < count; i++) sum += from[i];
  return sum;
}
CHANNELS_FOR_GROUP static void reverse_by_group(double* of, long count) {
  const unsigned lane = channels_lane(), lanes = channels_lanes();
  for (long i = lane; i < count / 2; i += lanes) {
    const double low = of[i];
    of[i] = of[count - 1 - i];
    of[count - 1 - i] = low;
  }
  channels_sync_lanes();
  const double first = channels_of_lane(of[0], lanes - 1);
  if (lane == lanes - 1) of[count - 1] += first;
}
CHANNELS_GROUP_LEAF(reverse_by_group)
static void reverse(double* of, long count) {
  for (long i = 0; i < count / 2; i++) {
    const double low = of[i];
    of[i] = of[count - 1 - i];
    of[count - 1 - i] = low;
  }
  of[count - 1] += of[0];
}
int total(const int* from, int count) {
  if (count <= 70) {
    int of_leaf = cilk_spawn sum(from, count);
    int again = sum(from, count);  // one lane's own
    cilk_sync;
    return of_leaf == again ? of_leaf : -1;
  }
  int a = cilk_spawn total(from, count / 3);
  int b = total(from + count / 3, count - count / 3);
  cilk_sync;
  return a + b;
}
void turn(double* of, long rows, long count) {
  if (rows == 1) {
    cilk_spawn reverse(of, count);
    cilk_sync;
    return;
  }
  cilk_spawn turn(of, rows / 2, count);
  turn(of + rows / 2 * count, rows - rows / 2, count);
  cilk_sync;
}
int main(void) {
  int* numbers = malloc(size * sizeof *numbers);
  double* rows = malloc(size * sizeof *rows);
  for (int i = 0; i < size; i++) {
    numbers[i] = i * i % 101;
    rows[i] = i % 37;
  }
  printf("%d\n", total(numbers, size));
  turn(rows, 20, size / 20);
  double sum_of_rows = 0;
  for (int i = 0; i < size; i++) sum_of_rows += rows[i] * (i % 13);
  printf("%g\n", sum_of_rows);
  if (getenv("LANES_SEEN")) printf("several lanes: %d\n", most_lanes > 1);
  free(numbers);
  free(rows);
}
// HOST: 50115
// HOST-NEXT: 109563
// DEVICE: several lanes: 1
