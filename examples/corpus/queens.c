/* The number of solutions of the n queens problem, by bit masks: a call places a queen on one safe
 * square, and leaves the others of the row to a second call. So nothing waits for anything but
 * sums. */
#include <cilk/cilk.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "timing.h"

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

/* Solutions that have a queen of the next row on one of the squares of `safe`. */
long queens(board b, uint32_t safe) {
  if (safe == 0) return 0;
  board below = with_queen(b, safe & -safe);
  long last = below.free == 0;
  long others = cilk_spawn queens(b, safe & (safe - 1));
  long here = cilk_spawn queens(below, safe_squares(below));
  cilk_sync;
  return last + others + here;
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
    fprintf(stderr, "Usage: queens [-t] [<n>], n from 1 to %d\n", most);
    return 1;
  }

  board empty = {((uint32_t)1 << n) - 1, 0, 0};
  timing_begin();
  long count = queens(empty, empty.free);
  timing_end();
  printf("queens(%d) = %ld\n", n, count);
  return count == known[n] ? 0 : 1;
}
