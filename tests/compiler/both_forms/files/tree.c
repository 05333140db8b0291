#include "tree.h"

#include <cilk/cilk.h>

int limit = 2;
static int state = 1;
static int step(int n) { return n - state; }

static int walk(int n) {
  if (below(n)) return n;
  int x = cilk_spawn walk(step(n));
  int y = walk(step(step(n)));
  cilk_sync;
  return x + y;
}

int tree(int n) {
  int x = cilk_spawn walk(n);
  cilk_sync;
  return x;
}
