// A cilk_for whose variable the function declares before it, as C has it: each iteration has its own, and behind the
// loop it is what the serial program leaves.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --explain --device=emulated --emit=tasks %s -o %t.explained 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks: 3 of 3 functions, 5 of 5 loops
#include <cilk/cilk.h>
#include <cilk/reducer_opadd.h>
#include <stdio.h>

static int fill(int* values, int n) {
  int i;
  cilk_for (i = 0; i < n; ++i) values[i] = i * 7 % 13;
  const int behind = i;
  unsigned char down;
  cilk_for (down = 20; down > 2; down -= 3) values[down] += down;
  cilk_for (i = n; i < 5; i++) values[i]++;
  return behind * 10000 + down * 100 + i;
}

static int count(const int* values, int n) {
  int i, part = 3;
  CILK_C_REDUCER_OPADD(sum, int, 0);
  CILK_C_REGISTER_REDUCER(sum);
  cilk_for (i = 1; i < n; i += 2) {
    int k, mine = part;
    for (k = 0; k < i % 4; k++) mine += values[i];
    REDUCER_VIEW(sum) += mine;
  }
  const int found = REDUCER_VIEW(sum) + i;
  CILK_C_UNREGISTER_REDUCER(sum);
  return found;
}

int main(void) {
  static int values[200];
  long i, n = 150;
  printf("%d\n", fill(values, 150));
  printf("%d\n", count(values, 150));
  cilk_for (i = 0; i < n; i++) values[i] += (int)i;
  printf("%ld %d %d\n", i, values[149], values[20]);
  return 0;
}
