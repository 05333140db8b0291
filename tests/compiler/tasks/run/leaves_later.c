// Leaves, with types of their own, that are declared after the first function that spawns.
// RUN: %tasks-run-and-compare %s 9
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

static int first(int n) {
  if (n < 2) return n;
  int x = cilk_spawn first(n - 1);
  cilk_sync;
  return x + 1;
}

enum color { RED, GREEN, BLUE };
struct paint {
  enum color color;
  long amount;
};

static enum color next(enum color from) { return from == BLUE ? RED : (enum color)(from + 1); }
static struct paint mix(struct paint one, int n) {
  struct paint mixed = {next(one.color), one.amount * 3 + n};
  return mixed;
}

static struct paint second(int n) {
  struct paint start = {GREEN, n};
  struct paint mixed = cilk_spawn mix(start, n);
  enum color color = cilk_spawn next(BLUE);
  int x = cilk_spawn first(n);
  cilk_sync;
  mixed.amount += x + (int)color;
  return mixed;
}

int main(int argc, char** argv) {
  (void)argc;
  struct paint result = second(atoi(argv[1]));
  printf("%d %ld\n", result.color, result.amount);
  return 0;
}
