// Spawns and loops in `main` and in functions that have no task for another reason: what runs in
// parallel is cut out of them, and the rest stays where it is.
// RUN: %host-code-run-and-compare %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t.lowered 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks{{ +}}{{[1-9][0-9]+}}
// CHECK: main
// CHECK: repeated
#include <cilk/cilk.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct point {
  int x;
  int y;
};

static long fib(int n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

static void set(struct point* p, int value) {
  p->x = value;
  p->y = -value;
}

// Its arguments keep it on the host; the loop in it need not.
static int repeated(int count, ...) {
  va_list rest;
  va_start(rest, count);
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += va_arg(rest, int);
  va_end(rest);
  static int calls;
  int part[16] = {0};
  cilk_for(int i = 0; i < 16; ++i) part[i] = sum * i + calls;
  for (int i = 0; i < 16; ++i) sum += part[i];
  ++calls;
  return sum;
}

static int jumps(int n) {
  int tries = 0;
again:
  if (tries == n) goto done;
  {
    long left = cilk_spawn fib(tries);
    ++tries;
    cilk_sync;
    if (left > 20) goto done;
  }
  goto again;
done:
  return tries;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 12;
  double* squares = malloc(sizeof(double) * (unsigned)n);
  int limits[3] = {4, 8, n};
  printf("begin %d\n", limits[2]);

  cilk_for(int i = 0; i < n; ++i) squares[i] = i * 0.5 * limits[i % 3];

#pragma cilk grainsize 2
  cilk_for(int i = 0; i < n; ++i) { squares[i] += fib(i % 5); }

  struct point p = {1, 2};
  struct point q;
  long a = cilk_spawn fib(n);
  cilk_spawn set(&p, n);
  long b = fib(n - 1), c;
  c = b * 2;
  set(&q, 5);
  cilk_sync;
  printf("%ld %ld %ld %d %d %d\n", a, b, c, p.x, p.y, q.y);

  for (int round = 0; round < 3; ++round) {
    long found;
    if (round == 1) {
      found = cilk_spawn fib(round + 10);
      cilk_sync;
      if (found < 0) return 1;
    } else {
      found = round;
    }
    printf("round %d: %ld\n", round, found);
  }

  long sums[4];
  for (int i = 0; i < 4; ++i) sums[i] = cilk_spawn fib(i + 6);
  printf("between\n");
  cilk_sync;
  printf("%d %d\n", repeated(3, 1, 2, 3), repeated(2, 10, 20));
  for (int i = 0; i < 4; ++i) printf("%ld ", sums[i]);

  double total = 0;
  for (int i = 0; i < n; ++i) total += squares[i];
  printf("%g %d\n", total, jumps(30));
  free(squares);
  cilk_spawn set(&q, 7);
  set(&p, 9);
  return 0;
}
