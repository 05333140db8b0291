// A block that is spawned: with results in variables, in loops, nested, in macros, with reducers; what it cannot
// share runs where it stands.
// RUN: %host-code-run-and-compare %s
// RUN: %cilk2chan --explain --emit=source %s -o %t.explained 2>&1 | FileCheck %s
#include <cilk/cilk.h>
#include <stdio.h>
#include <string.h>

static void zero(void* view) { *(long*)view = 0; }
static void plus(void* left, void* right) { *(long*)left += *(long*)right; }
long cilk_reducer(zero, plus) total = 3;

// CHECK-DAG: tasks: 10 of 10 functions, 1 of 1 loops
static long fib(int n) {
  long x, y;
  if (n < 2) return n;
  // CHECK-DAG: line [[@LINE+1]]: spawn of a block, given away when a worker is hungry
  cilk_spawn { x = fib(n - 1); }
  y = fib(n - 2);
  cilk_sync;
  return x + y;
}

#define SPAWN cilk_spawn
#define IN_BLOCK(what) _Cilk_spawn { what; }

struct point { int x, y; };

static void fill(long* to, int n) {
  struct point from = {n, 2};
  int table[3] = {1, 2, 3};
  for (int i = 0; i < n; i++) {
    int twice = 2 * i;
    // CHECK-DAG: line [[@LINE+1]]: spawn of a block, given away when a worker is hungry
    SPAWN
    {
      to[i] = fib(twice % 9) + from.x + table[i % 3];
      for (int k = 0; k < 3; k++) {
        if (k == 1) continue;
        if (to[i] < 0) break;
        total += k;
      }
    }
  }
  cilk_sync;
  for (int i = 0; i < n; i++) {
    long mine = 0;
    // CHECK-DAG: line [[@LINE+1]]: spawn of a block, serial: it changes, or keeps a pointer to, a variable that may end before the next 'cilk_sync'
    cilk_spawn { mine = i; to[i] += mine; }
    to[i] += mine;
  }
}

static long nested(int n) {
  long a = 0, b = 0, c = 0;
  cilk_spawn {
    cilk_spawn { a = fib(n); }
    b = cilk_spawn fib(n + 1);
    cilk_sync;
    a += b;
  }
  IN_BLOCK(c = fib(n - 1))
  if (n > 2) cilk_spawn { total += n; }
  else cilk_spawn { total -= n; }
  cilk_sync;
  return a * 1000 + c;
}

static void in_loop(long* to, int n) {
  cilk_for (int i = 0; i < n; i++) {
    long x, y;
    cilk_spawn { x = fib(i % 7); printf("%s", __func__[0] == 'i' ? "" : "wrong"); }
    y = i;
    cilk_sync;
    to[i] = x + y;
  }
}

int main(void) {
  long values[40], more[40];
  long sum = 0;
  fill(values, 40);
  in_loop(more, 40);
  for (int i = 0; i < 40; i++) sum = sum * 7 % 1000003 + values[i] + more[i];
  printf("%ld %ld %ld %ld %ld\n", fib(17), nested(9), nested(2), sum, total);
  return 0;
}
