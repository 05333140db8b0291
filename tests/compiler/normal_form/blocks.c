// Blocks that are spawned become tasks: with copies of what they only read, nested, in loops, in
// scopes, in a parallel loop and in main. A block that shares what ends early runs where it stands.
// RUN: %host-code-run-and-compare %s
// RUN: %t.serial > %t.wanted
// RUN: %cilk2chan --device=emulated -O0 -w %s -o %t.emulated
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_MEMORY=32M %t.emulated > %t.found
// RUN: diff %t.wanted %t.found
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_ORDER=channels CHANNELS_CUS=2 %t.emulated > %t.found
// RUN: diff %t.wanted %t.found
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t.lowered 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks{{ +}}{{[1-9][0-9]+}}
#include <cilk/cilk.h>
#include <stdio.h>

struct point { int x, y; };
struct board { int cells[24]; int used; };  // larger than what is copied without need

static long fib(int n) {
  long x, y;
  if (n < 2) return n;
  cilk_spawn { x = fib(n - 1); }
  y = fib(n - 2);
  cilk_sync;
  return x + y;
}

static long count(const struct board* from) {
  long sum = 0;
  for (int i = 0; i < from->used; i++) sum = sum * 3 + from->cells[i];
  return sum;
}

static void fill(long* to, int n, long grid[][3]) {
  struct point from = {n, 2};
  int table[3] = {1, 2, 3};
  for (int i = 0; i < n; i++) {
    int twice = 2 * i;
    struct board mine = {{i, i + 1, i + 2}, 3};
    cilk_spawn {
      struct board own = mine;
      static const long factor = 3;
      own.cells[0] += 5;
      to[i] = fib(twice % 9) + from.x + table[i % 3] + count(&own) * factor;
      for (int k = 0; k < 3; k++) {
        if (k == 1) continue;
        if (to[i] < 0) break;
        to[i] += k;
        grid[i % 2][k] = i % 2 + k;
      }
    }
    if (i % 2 == 1) cilk_sync;
  }
  cilk_sync;
  for (int i = 0; i < n; i++) {
    long mine = 0;
    cilk_spawn { mine = i; to[i] += mine; }
    to[i] += mine;
  }
}

static long nested(int n) {
  long a = 0, b = 0, c = 0;
  int other = n;
  int* seen = &n;
  cilk_spawn {
    cilk_spawn { a = fib(*seen); }
    b = cilk_spawn fib(n + 1);
    cilk_sync;
    a += b;
  }
  cilk_spawn { c = fib(other - 1); }
  other = 0;
  cilk_sync;
  cilk_scope {
    long d = 1;
    cilk_spawn { d = fib(n) + other; }
    if (n > 2) cilk_spawn { c += n; }
    else cilk_spawn { c -= n; }
    cilk_sync;
    c += d;
  }
  return a * 1000 + c;
}

static void in_loop(long* to, int n) {
  cilk_for (int i = 0; i < n; i++) {
    long x, y;
    cilk_spawn { x = fib(i % 7); }
    y = i;
    cilk_sync;
    to[i] = x + y;
  }
}

int main(void) {
  long values[40], more[40], grid[2][3] = {{0}};
  long sum = 0, a = 0, b = 0;
  fill(values, 40, grid);
  in_loop(more, 40);
  cilk_spawn { a = fib(10); }
  cilk_spawn { b = nested(5); }
  cilk_sync;
  for (int i = 0; i < 40; i++) sum = sum * 7 % 1000003 + values[i] + more[i];
  printf("%ld %ld %ld %ld %ld %ld %ld\n", fib(12), nested(9), nested(2), sum, a, b, grid[1][2]);
  return 0;
}
