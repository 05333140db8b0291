/* Ways of a knight over a board, and the longest of them without a square twice, by trying all. */
#include <assert.h>
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

#include "timing.h"

#define MAX(a, b)                \
  ({                             \
    __typeof__(a) left = (a);    \
    __typeof__(b) right = (b);   \
    left > right ? left : right; \
  })

enum { SIDE = 5, MOVES = 8 };

static int on_board(int x, int y) { return x >= 0 && y >= 0 && x < SIDE && y < SIDE; }

/* Ways of so many moves. */
long ways(int x, int y, int moves) {
  static const int dx[MOVES] = {1, 2, 2, 1, -1, -2, -2, -1};
  static const int dy[MOVES] = {2, 1, -1, -2, -2, -1, 1, 2};
  long found[MOVES] = {0}, sum = 0;

  assert(on_board(x, y));
  if (moves == 0) return 1;
  for (int i = 0; i < MOVES; i++)
    if (on_board(x + dx[i], y + dy[i])) found[i] = cilk_spawn ways(x + dx[i], y + dy[i], moves - 1);
  cilk_sync;
  for (int i = 0; i < MOVES; i++) sum += found[i];
  return sum;
}

/* The longest way over squares that are not in `taken`, of at most so many moves. */
int longest(int x, int y, int moves, unsigned taken) {
  static const struct move {
    signed char dx, dy;
  } all[MOVES] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
  struct {
    int length[MOVES];
  } found = {{0}};
  int best = 0;

  if (moves == 0) return 0;
  taken |= 1u << (y * SIDE + x);
  for (int i = 0; i < MOVES; i++) {
    int to_x = x + all[i].dx, to_y = y + all[i].dy;
    if (!on_board(to_x, to_y) || (taken >> (to_y * SIDE + to_x) & 1)) continue;
    found.length[i] = cilk_spawn longest(to_x, to_y, moves - 1, taken);
    best = MAX(best, 1);
  }
  cilk_sync;
  for (int i = 0; i < MOVES; i++) best = MAX(best, best == 0 ? 0 : 1 + found.length[i]);
  return best;
}

/* The same ways as `ways` counts, by a table of squares. */
static long counted(int x, int y, int moves) {
  static long table[2][SIDE][SIDE];
  int now = 0;

  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++) table[0][i][j] = 1;
  for (; moves > 0; moves--, now = !now)
    for (int i = 0; i < SIDE; i++)
      for (int j = 0; j < SIDE; j++) {
        table[!now][i][j] = 0;
        for (int dx = -2; dx <= 2; dx++)
          for (int dy = -2; dy <= 2; dy++)
            if (abs(dx * dy) == 2 && on_board(j + dx, i + dy))
              table[!now][i][j] += table[now][i + dy][j + dx];
      }
  return table[now][y][x];
}

int main(int argc, char** argv) {
  int moves;
  long found;
  int length;

  argc = timing_option(argc, argv);
  moves = argc > 1 ? atoi(argv[1]) : 6;
  timing_begin();
  found = ways(0, 0, moves);
  length = longest(0, 0, MAX(moves, 8), 0);
  timing_end();
  printf("knights %d: %ld ways, longest of at most %d moves: %d, %s\n", moves, found, MAX(moves, 8),
         length, found == counted(0, 0, moves) ? "right" : "WRONG");
  return found == counted(0, 0, moves) ? 0 : 1;
}
