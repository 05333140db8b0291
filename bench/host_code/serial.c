#include "bench/host_code/serial.h"

#include <alloca.h>
#include <string.h>

long serial_fib(long n) {
  if (n < 2) return n;
  const long x = serial_fib(n - 1);
  const long y = serial_fib(n - 2);
  return x + y;
}

static int safe(const char* board, int row, int column) {
  for (int i = 0; i < row; ++i) {
    const int apart = board[i] - column;
    if (apart == 0 || apart == row - i || apart == i - row) return 0;
  }
  return 1;
}

static long place(int rows, int row, const char* board) {
  if (row == rows) return 1;
  long* const counts = alloca((size_t)rows * sizeof(long));
  memset(counts, 0, (size_t)rows * sizeof(long));
  for (int column = 0; column < rows; ++column) {
    if (!safe(board, row, column)) continue;
    char* const next = alloca((size_t)row + 1);
    memcpy(next, board, (size_t)row);
    next[row] = (char)column;
    counts[column] = place(rows, row + 1, next);
  }
  long sum = 0;
  for (int column = 0; column < rows; ++column) sum += counts[column];
  return sum;
}

long serial_queens(int rows) { return place(rows, 0, ""); }
