// Arrays of arrays of variable lengths: elements, rows that are passed on, three dimensions, where spawns come between.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t.lowered 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: 46766 15336 126
// CHECK: tasks{{ +}}{{[1-9][0-9]+}}
#include <cilk/cilk.h>
#include <stdio.h>

static void fill(long* to, int n, long from) {
  if (n == 1) {
    *to = from;
    return;
  }
  cilk_spawn fill(to, n / 2, from);
  fill(to + n / 2, n - n / 2, from + n / 2);
  cilk_sync;
}

static int asked;
static int length_of(int n) {
  __atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED);
  return n;
}

static long table(int n, int m) {
  long rows[n][length_of(m)];
  for (int i = 0; i < n; i++) cilk_spawn fill(rows[i], m, 10 * i);
  cilk_sync;
  long sum = 0;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < m; k++) {
      rows[i][k] += k == i;
      sum += rows[i][k] * (k + 1);
    }
    sum += *rows[i] + (rows[i] + 1)[0];
  }
  return sum;
}

static long cube(int n) {
  if (n < 2) return n;
  int cells[n][3][n + 1];
  short halves[2][n];
  long below[2];
  below[0] = cilk_spawn cube(n - 1);
  below[1] = cilk_spawn cube(n - 2);
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 3; k++) {
      for (int j = 0; j <= n; j++) cells[i][k][j] = i + k * j;
    }
    halves[i % 2][i] = (short)i;
  }
  cilk_sync;
  long sum = below[0] + below[1];
  for (int i = 0; i < n; i++) sum += cells[i][2][n] + halves[i % 2][i];
  return sum;
}

int main(void) {
  long first = table(9, 14), second = 0;
  for (int i = 0; i < 12; i++) second += cube(i);
  printf("%ld %ld %d\n", first, second, asked * 126);
  return 0;
}
