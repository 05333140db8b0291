/* Counts the placements of n queens. Each task has a board of its own.
 *
 * omp_nqueens [-t] [n] */
#include "../timing.h"

#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether no queen of the last row meets one of the rows before it. */
static int ok(int rows, const char* board) {
  char last = board[rows - 1];
  for (int i = 0; i < rows - 1; i++) {
    int apart = rows - 1 - i;
    if (board[i] == last || board[i] == last - apart || board[i] == last + apart) return 0;
  }
  return 1;
}

static void nqueens(int n, int row, char* board, long* solutions) {
  if (n == row) {
    *solutions = 1;
    return;
  }
  long* found = alloca(n * sizeof(long));
  memset(found, 0, n * sizeof(long));
  for (int i = 0; i < n; i++) {
#pragma omp task untied
    {
      char* own = alloca(n * sizeof(char));
      memcpy(own, board, row * sizeof(char));
      own[row] = (char)i;
      if (ok(row + 1, own)) nqueens(n, row + 1, own, &found[i]);
    }
  }
#pragma omp taskwait
  *solutions = 0;
  for (int i = 0; i < n; i++) *solutions += found[i];
}

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  int n = argc > 1 ? atoi(argv[1]) : 7;
  long solutions = 0;
  if (n < 1 || n > 16) return 1;
  timing_begin();
#pragma omp parallel
  {
#pragma omp single
    {
      char* board = alloca(n * sizeof(char));
      nqueens(n, 0, board, &solutions);
    }
  }
  timing_end();
  printf("omp_nqueens %d: %ld solutions\n", n, solutions);
  return 0;
}
