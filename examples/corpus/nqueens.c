/* How many ways there are to place n queens on an n x n board. Each placement copies the board so
 * far, an array of chars, into alloca memory of the frame that spawns it, in a loop that has
 * already spawned. */
#include <alloca.h>
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing.h"

/* The known answers, from n = 0. */
static const int solutions[] = {1,   1,   0,    0,     2,     10,     4,       40,      92,
                                352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512};
#define KNOWN ((int)(sizeof(solutions) / sizeof(solutions[0])))

/* Whether the last of the n queens is attacked by none of the others. */
static int ok(int n, char* a) {
  int i;
  char p = a[n - 1];

  for (i = 0; i < n - 1; i++) {
    char q = a[i];
    if (q == p || q == p - (n - 1 - i) || q == p + (n - 1 - i)) return 0;
  }
  return 1;
}

int nqueens(int n, int j, char* a) {
  char* b;
  int i, total = 0;
  int* count;

  if (n == j) return 1;

  count = (int*)alloca(n * sizeof(int));
  memset(count, 0, n * sizeof(int));

  for (i = 0; i < n; i++) {
    b = (char*)alloca((j + 1) * sizeof(char));
    memcpy(b, a, j * sizeof(char));
    b[j] = (char)i;
    if (ok(j + 1, b)) count[i] = cilk_spawn nqueens(n, j + 1, b);
  }
  cilk_sync;

  for (i = 0; i < n; i++) total += count[i];
  return total;
}

int main(int argc, char* argv[]) {
  int n = 8, result;
  char* a;

  argc = timing_option(argc, argv);
  if (argc > 1) n = atoi(argv[1]);
  if (n < 1 || n > 20) {
    fprintf(stderr, "Usage: nqueens [-t] [<n from 1 to 20>]\n");
    return 1;
  }

  a = (char*)alloca(n * sizeof(char));
  timing_begin();
  result = nqueens(n, 0, a);
  timing_end();
  printf("nqueens(%d) = %d\n", n, result);
  return n >= KNOWN || result == solutions[n] ? 0 : 1;
}
