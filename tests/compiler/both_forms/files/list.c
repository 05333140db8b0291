#include "tree.h"

#include <cilk/cilk.h>

static int state = 3;
static int step(int n) { return n - state; }

static int walk(int n) {
  if (n <= 0) return 0;
  int x = cilk_spawn walk(step(n));
  cilk_sync;
  return x + state;
}

int list(int n) {
  int x = cilk_spawn walk(n);
  /* A function of another file: host code, also from a task. */
  int y = cilk_spawn tree(1);
  cilk_sync;
  return x + y - 1;
}
