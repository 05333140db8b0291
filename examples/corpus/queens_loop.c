/* The number of solutions of the n queens problem, by bit masks: a call places a queen on each safe
 * square of its row, in a loop. Nothing is left to be done after the sync but to add up. */
#include <cilk/cilk.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "timing.h"

#define MOST_ROWS 32

/* What the next row sees: a bit for each column. */
typedef struct {
  uint32_t free;  /* columns without a queen */
  uint32_t left;  /* on a diagonal that comes down from the right */
  uint32_t right; /* on one that comes down from the left */
} board;

static uint32_t safe_squares(board b) { return b.free & ~(b.left | b.right); }

static board with_queen(board b, uint32_t square) {
  board below = {b.free ^ square, (b.left | square) << 1, (b.right | square) >> 1};
  return below;
}

long queens(board b) {
  if (b.free == 0) return 1;
  uint32_t safe = safe_squares(b);
  if (safe == 0) return 0;
  long counts[MOST_ROWS];
  int children = 0;
  for (; safe != 0; safe &= safe - 1) {
    counts[children] = cilk_spawn queens(with_queen(b, safe & -safe));
    children++;
  }
  cilk_sync;
  long count = 0;
  for (int i = 0; i < children; i++) count += counts[i];
  return count;
}

int main(int argc, char* argv[]) {
  static const long known[] = {1,      1,       0,        0,        2,        10,    4,
                               40,     92,      352,      724,      2680,     14200, 73712,
                               365596, 2279184, 14772512, 95815104, 666090624};
  const int most = (int)(sizeof(known) / sizeof(known[0])) - 1;
  int n = 8;

  argc = timing_option(argc, argv);
  if (argc == 2) n = atoi(argv[1]);
  if (argc > 2 || n < 1 || n > most) {
    fprintf(stderr, "Usage: queens_loop [-t] [<n>], n from 1 to %d\n", most);
    return 1;
  }

  board empty = {((uint32_t)1 << n) - 1, 0, 0};
  timing_begin();
  long count = queens(empty);
  timing_end();
  printf("queens_loop(%d) = %ld\n", n, count);
  return count == known[n] ? 0 : 1;
}
