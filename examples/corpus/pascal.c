/* Pascal's triangle by its rule. A large binomial spawns; below that the same function calls itself
 * in an expression, which is a plain call of a function that spawns. Old style: no prototypes. */
/* It takes definitions without prototypes apart: */
/* clang-format off */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

#include "timing.h"

#define CUTOFF 8

unsigned long choose(n, k)
int n, k;
{
  if (k == 0 || k == n)
    return 1;
  else if (n <= CUTOFF)
    return choose(n - 1, k - 1) + choose(n - 1, k);
  else {
    unsigned long a, b;
    a = cilk_spawn choose(n - 1, k - 1);
    b = cilk_spawn choose(n - 1, k);
    cilk_sync;
    return a + b;
  }
}

/* 2^n: a row of the triangle, each number spawned into an array. */
unsigned long row_sum(n)
int n;
{
  unsigned long row[64], sum = 0;
  int k = 0;
  do {
    row[k] = cilk_spawn choose(n, k);
  } while (++k <= n);
  cilk_sync;
  while (k > 0) sum += row[--k];
  return sum;
}

int main(argc, argv)
int argc;
char* argv[];
{
  int n = 18, k;
  unsigned long middle, sum;

  argc = timing_option(argc, argv);
  if (argc > 1) n = atoi(argv[1]);
  if (n < 1 || n > 40) return 1;
  k = n / 2;
  timing_begin();
  middle = choose(n, k);
  sum = n % 2 ? row_sum(n) : row_sum(n - 1) + row_sum(n - 1);
  timing_end();
  printf("choose(%d, %d) = %lu, the row sums up to %lu\n", n, k, middle, sum);
  return sum == 1ul << n ? 0 : 1;
}
