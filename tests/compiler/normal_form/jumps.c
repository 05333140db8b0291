// Jumps forward in functions that spawn: to the end of a body, out of loops, to the end of the function.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --explain --device=emulated --emit=tasks %s -o %t.explained 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks: 3 of 3 functions
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

static int place(const int* board, int n, int row) {
  int found = 0, i;
  int* next = NULL;
  if (row == n) return 1;
  next = malloc(sizeof(int) * n * n);
  if (!next) goto out;
  for (i = 0; i < n; i++) {
    int j, ok = 1;
    for (j = 0; j < row; j++) {
      if (board[j] == i || board[j] - i == row - j || i - board[j] == row - j) {
        ok = 0;
        break;
      }
    }
    if (!ok) goto next_one;
    int* copy = next + i * n;
    for (j = 0; j < row; j++) copy[j] = board[j];
    copy[row] = i;
    found += cilk_spawn place(copy, n, row + 1);
  next_one:;
  }
  cilk_sync;
out:
  free(next);
  return found;
}

// Jumps out of two loops, over spawns, and from one label's part into another's.
static long search(int n, int wanted) {
  long parts[4] = {0};
  long sum = 0;
  int i, j;
  if (n <= 0) return 1;
  for (i = 0; i < 4; i++) {
    for (j = 0; j < 4; j++) {
      if (i * j == wanted) goto found;
      if (j > i) goto next;
      sum += j;
    }
    sum += 100;
  next:
    parts[i] = cilk_spawn search(n - i - 1, wanted + i);
  }
  sum = 1;
found:
  sum += 1000 + i;
  if (wanted == 3) goto done;
  sum += 2;
done:
  cilk_sync;
  for (i = 0; i < 4; i++) sum += parts[i];
  return sum % 1000003;
}

int main(void) {
  int board[8];
  printf("%d", place(board, 6, 0));
  for (int k = 0; k < 12; k++) printf(" %ld", search(5, k));
  printf("\n");
  return 0;
}
