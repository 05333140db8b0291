// cilk_scope: joins at its end what was spawned in it, wherever it stands and whatever its statement is.
// RUN: %tasks-run-and-compare %s 9
// RUN: %host-code-run-and-compare %s -- 9
// RUN: %cilk2chan-tasks --explain %s -o %t 2>&1 | FileCheck %s
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

// CHECK: fib: task fib_task
// CHECK: scopes: task scopes_task
static long fib(int n) {
  if (n < 2) return n;
  long x, y;
  cilk_scope {
    x = cilk_spawn fib(n - 1);
    y = fib(n - 2);
  }
  return x + y;
}

long scopes(int n, int depth) {
  long a[4] = {0, 0, 0, 0};
  long sum = 0;
  long before = cilk_spawn fib(n);  // which no scope joins
  cilk_scope {
    a[1] = cilk_spawn fib(n - 1);
    long inner = 3;
    cilk_scope { inner += n; }
    a[2] = inner;
  }
  sum += a[1] + a[2];
  if (n % 2) cilk_scope {
    a[3] = cilk_spawn fib(n / 2);
  } else
    cilk_scope a[3] = cilk_spawn fib(n / 3);
  sum += a[3];
  cilk_scope for (int i = 0; i < 3; i++) {
    a[i] = cilk_spawn fib(i + n);
    if (i == n) break;
  }
  sum += a[0] + a[1] + a[2];
  for (int i = 0; i < 4; i++) {
    cilk_scope {
      a[i] = cilk_spawn fib(i);
      if (i + depth == 5) return sum * 3 + depth;
    }
    sum += a[i];
  }
  cilk_scope {
    if (depth > 0) a[0] = cilk_spawn scopes(n - 1, depth - 1);
    a[1] = cilk_spawn fib(n);
    cilk_sync;
    a[1] += a[0];
    a[2] = cilk_spawn fib(n);
  }
  cilk_sync;
  return sum + a[1] + a[2] + before;
}

int main(int argc, char** argv) {
  (void)argc;
  int n = atoi(argv[1]);
  printf("%ld %ld %ld\n", fib(n), scopes(n, 4), scopes(1, 2));
  return 0;
}
