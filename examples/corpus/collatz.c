/* The number below a limit whose way to 1 by halving and 3n + 1 is the longest; the least of them,
 * if there are several: a reducer of a structure keeps the first, as the serial loop does. */
#include <cilk/cilk.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "timing.h"

typedef struct longest {
  uint64_t start;
  int steps;
} longest;

void longest_identity(void* view) {
  longest* v = view;
  v->start = 0;
  v->steps = -1;
}

void longest_reduce(void* left, void* right) {
  longest *l = left, *r = right;
  if (r->steps > l->steps) *l = *r;
}

void steps_identity(void* view) { *(uint64_t*)view = 0; }
void steps_reduce(void* left, void* right) { *(uint64_t*)left += *(uint64_t*)right; }

static int collatz(uint64_t n) {
  int steps = 0;
  while (n != 1) {
    n = n & 1 ? 3 * n + 1 : n / 2;
    ++steps;
  }
  return steps;
}

int main(int argc, char* argv[]) {
  uint64_t limit = 20000;

  argc = timing_option(argc, argv);
  if (argc > 1) limit = strtoull(argv[1], NULL, 10);
  if (limit < 2) return 1;

  longest cilk_reducer(longest_identity, longest_reduce) best = {0, -1};
  uint64_t cilk_reducer(steps_identity, steps_reduce) all = 0;

  timing_begin();
  cilk_for (uint64_t n = 1; n < limit; n++) {
    int steps = collatz(n);
    all += steps;
    if (steps > best.steps) {
      best.start = n;
      best.steps = steps;
    }
  }
  timing_end();

  printf("collatz below %llu: %llu takes %d steps; %llu steps in all\n", (unsigned long long)limit,
         (unsigned long long)best.start, best.steps, (unsigned long long)all);
  return 0;
}
