// One program, both orders: everything that tasks use of the rest of the program is the same thing in both.
// RUN: %host-code-run-and-compare %s
// RUN: %cilk2chan %s -o %t
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t 2>&1 | FileCheck --check-prefixes=CHECK,CHANNELS %s
// RUN: env CHANNELS_ORDER=depth-first CHANNELS_STATS=1 %t 2>&1 | FileCheck --check-prefixes=CHECK,DEPTH %s
// RUN: env CHANNELS_ORDER=sideways not %t 2>&1 | FileCheck --check-prefix=WRONG %s
// RUN: env CHANNELS_HELP=1 %t | FileCheck --check-prefix=HELP %s
// WRONG: channels: CHANNELS_ORDER=sideways: expected depth-first or channels
// WRONG-NOT: main
// HELP: CHANNELS_ORDER {{.*}}depth-first
// HELP-NOT: main
#include <cilk/cilk.h>
#include <stdio.h>
#include <string.h>

static int calls;
static const int weights[4] = {1, 2, 3, 4};
static int table[3] = {7, 8, 9};
static char (*rows)[4];
struct pair {
  int a, b;
} origin = {5, 6};
int shared_counter = 3;

static int memo(int n) {
  static int last;
  __atomic_fetch_add(&last, n, __ATOMIC_RELAXED);
  return last & 0;
}
static inline int weight(int n) { return weights[n & 3]; }
int outside(int n) { return n * table[1]; }
typedef int (*op)(int);
static int twice(int x) { return 2 * x; }
static op choose(void) { return twice; }
static void announce(void);

int work(int n) {
#define STEP 1
  if (n < 2) {
    __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
    return weight(n) + memo(n) + outside(1) + origin.a + choose()(n) + (choose() == twice) + rows[1][2];
  }
  int a = cilk_spawn work(n - STEP);
#undef STEP
  int b = work(n - 2);
  cilk_sync;
  return a + b + shared_counter;
}

static int other(int n) {
  if (n == 0) return 1;
  int x = cilk_spawn other(n - 1);
  int y = cilk_spawn work(n);
  cilk_sync;
  return x + y;
}

int (*pointers[2])(int) = {work, other};

int main(void) {
  char letters[2][4] = {"abc", "def"};
  int r, z;
  rows = letters;
  announce();
  // CHANNELS-NOT: stays on the host
  // CHECK: main
  r = work(10);
  shared_counter = 4;
  table[1] = 2;
  origin.a = 1;
  r += other(8) + pointers[0](7) + pointers[1](5);
  z = cilk_spawn work(9);
  cilk_sync;
  // CHECK: 25122 6203 271
  printf("%d %d %d\n", r, z, calls);
  // CHANNELS: tasks{{ +}}{{[1-9][0-9]+}}
  // DEPTH-NOT: tasks{{ +}}
  return 0;
}

static void announce(void) { puts("main"); }
