#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int place(const char* above, int row, int n) {
  if (row == n) return 1;
  int counts[8] = {0};
  char boards[8][8];
  for (int column = 0; column < n; column++) {
    int free_ = 1;
    for (int i = 0; i < row; i++) {
      int apart = above[i] - column;
      free_ = free_ && apart != 0 && apart != row - i && apart != i - row;
    }
    if (!free_) continue;
    memcpy(boards[column], above, (size_t)row);
    boards[column][row] = (char)column;
    counts[column] = cilk_spawn place(boards[column], row + 1, n);
  }
  cilk_sync;
  int all = 0;
  for (int column = 0; column < n; column++) all += counts[column];
  return all;
}
int main(void) {
  char none[8] = {0};
  printf("%d\n", place(none, 0, 6));
  return 0;
}
