// Jumps back in functions that spawn: another try, out of inner loops, past a `break` and a `continue` of a loop
// around, to one of two labels, and on to a label behind.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --explain --device=emulated --emit=tasks %s -o %t.explained 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks: 4 of 4 functions
#include <cilk/cilk.h>
#include <stdio.h>

static long add(long n) {
  if (n < 2) return n;
  long x = cilk_spawn add(n - 1);
  long y = cilk_spawn add(n - 2);
  cilk_sync;
  return x + y;
}

static long tries(int n) {
  long got[8] = {0};
  int i = 0;
again:
  got[i % 8] = cilk_spawn add(n + i);
  if (++i < n) goto again;
  cilk_sync;
  for (int j = 0; j < 8; j++) got[0] = got[0] * 31 + got[j];
  return got[0];
}

static long inside(int n) {
  long sum = 0;
  for (int i = 0; i < n; i++) {
    int left = i;
    long part = 0;
  more:;
    long here = cilk_spawn add(left);
    for (int j = 0; j < 3; j++) {
      if (left > 4 && j == 1) {
        cilk_sync;
        left -= 2;
        goto more;
      }
      sum += j;
    }
    cilk_sync;
    part += here;
    if (i == 3) continue;
    sum = sum * 7 + part;
    if (sum % 11 == 5) break;
  }
  return sum;
}

static long labels(int n) {
  long sum = 0, k = 0;
first:
  sum += 1000;
  if (n % 3 == 0) {
    n++;
    goto first;
  }
second:;
  long x = cilk_spawn add(n);
  cilk_sync;
  sum += x;
  switch (n & 1) {
    case 0: n += 2; break;
    default: n += 3;
  }
  if (++k < 4) {
    if (k & 1) goto second;
    if (n > 12) goto out;
    goto first;
  }
  sum += 5;
out:
  return sum + n;
}

int main(void) {
  for (int n = 1; n < 9; n++) printf("%ld %ld %ld\n", tries(n), inside(n), labels(n));
  return 0;
}
