/* All shortest paths, by Floyd and Warshall on a table, and by recursion over quarters of it: the
 * two agree. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing.h"

#define MAX 1024
#define LEAF 32
#define FAR 1000000

static int n = 100;
static int by_loops[MAX][MAX], by_quarters[MAX][MAX];

static void loops(void) {
  for (int k = 0; k < n; k++) {
    const int* row = by_loops[k];
    cilk_for (int i = 0; i < n; ++i) {
      int to_k = by_loops[i][k];
      /* Row k is read by all and stays as it is: a way from k to k is no shorter than nothing. */
      if (i != k)
        for (int j = 0; j < n; j++)
          if (to_k + row[j] < by_loops[i][j]) by_loops[i][j] = to_k + row[j];
    }
  }
}

typedef struct {
  short r, c;
} corner;

#define QUARTER(q, down, right) ((corner){(q).r + (down) * half, (q).c + (right) * half})

/* x = min(x, a + b) for squares of `side`, of which some may be the same. */
static void update(corner x, corner a, corner b, int side) {
  if (x.r >= n || x.c >= n || a.c >= n) return;
  if (side == LEAF) {
    for (int k = 0; k < side && a.c + k < n; k++)
      for (int i = 0; i < side && x.r + i < n; i++)
        for (int j = 0; j < side && x.c + j < n; j++) {
          int way = by_quarters[a.r + i][a.c + k] + by_quarters[b.r + k][b.c + j];
          if (way < by_quarters[x.r + i][x.c + j]) by_quarters[x.r + i][x.c + j] = way;
        }
    return;
  }
  int half = side / 2;
#define STEP(i, j, k) update(QUARTER(x, i, j), QUARTER(a, i, k), QUARTER(b, k, j), half)
  STEP(0, 0, 0);
  cilk_spawn STEP(0, 1, 0);
  STEP(1, 0, 0);
  cilk_sync;
  STEP(1, 1, 0);
  STEP(1, 1, 1);
  cilk_spawn STEP(1, 0, 1);
  STEP(0, 1, 1);
  cilk_sync;
  STEP(0, 0, 1);
#undef STEP
}

int main(int argc, char** argv) {
  unsigned seed = 5, sum = 0;
  int side = LEAF, same = 1;

  argc = timing_option(argc, argv);
  if (argc > 1) n = atoi(argv[1]);
  if (n < 1 || n > MAX) {
    fprintf(stderr, "Usage: floyd [-t] [<n from 1 to %d>]\n", MAX);
    return 1;
  }
  while (side < n) side *= 2;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      seed = seed * 1664525u + 1013904223u;
      by_loops[i][j] = i == j ? 0 : seed >> 29 ? FAR : (int)(seed >> 16 & 1023) + 1;
    }
  memcpy(by_quarters, by_loops, sizeof(by_loops));

  timing_begin();
  loops();
  update((corner){0, 0}, (corner){0, 0}, (corner){0, 0}, side);
  timing_end();

  for (int i = 0; i < n; i++) {
    same &= memcmp(by_loops[i], by_quarters[i], n * sizeof(int)) == 0;
    for (int j = 0; j < n; j++) sum = sum * 31 + by_loops[i][j];
  }
  printf("floyd %d: hash %08x, %s\n", n, sum, same ? "both ways" : "WRONG");
  return same ? 0 : 1;
}
