// Arrays in frames: of constants in rows, and of pointers, with what they are set to behind a point.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --explain --device=emulated --emit=tasks %s -o %t.explained 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks: 2 of 2 functions
#include <cilk/cilk.h>
#include <stdio.h>

static int weigh(int n) {
  if (n < 2) return n;
  const int weights[2][3] = {{n, 2, 3}, {4, 5, n + 1}};
  int left = 0, right = 0;
  int* const places[2] = {&left, &right};
  int* chosen = &left;
  int** rows[2][2] = {{&chosen, &chosen}, {&chosen, &chosen}};
  left = cilk_spawn weigh(n - 1);
  right = cilk_spawn weigh(n - 2);
  cilk_sync;
  const int again[2][2] = {{left, 1}, {right, n}};
  int** also[2] = {&chosen, rows[1][0]};
  right += cilk_spawn weigh(n / 3);
  cilk_sync;
  return (weights[n & 1][n % 3] * *places[0] + *places[1] + **rows[1][1] + again[1][0] + **also[1]) % 10007;
}

static int both(int n) {
  int x = cilk_spawn weigh(n);
  int y = weigh(n + 1);
  cilk_sync;
  return x - y;
}

int main(void) {
  for (int n = 0; n < 12; n++) printf("%d\n", both(n));
  return 0;
}
