// The classic queens: each child gets a copy of the board, in memory that its parent takes in the loop that spawns it.
// RUN: %tasks-run-and-compare %s 7
// RUN: %device-run-and-compare %s -- 4
// RUN: %cilk2chan-tasks --emit=source %s -o - | grep -v CHECK | FileCheck %s
#include <alloca.h>
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fits(int n, const char* a) {
  int i, j;
  for (i = 0; i < n; i++) {
    char p = a[i];
    for (j = i + 1; j < n; j++) {
      char q = a[j];
      if (q == p || q == p - (j - i) || q == p + (j - i)) return 0;
    }
  }
  return 1;
}

int nqueens(int n, int j, char* a) {
  char* b;
  int i;
  int* count;
  int solutions = 0;
  if (n == j) return 1;
  // CHECK: {{^ *}}static constexpr bool allocates = true;
  // CHECK: {{^ *}}if ((f.count = (int *)lane.allocate(static_cast<std::size_t>(f.n * sizeof(int)))) == nullptr) return lane.yield(
  count = (int*)alloca(n * sizeof(int));
  memset(count, 0, n * sizeof(int));
  for (i = 0; i < n; i++) {
    // CHECK: {{^ *}}if ((f.b = (char *)lane.allocate(static_cast<std::size_t>((f.j + 1) * sizeof(char))))
    b = alloca((j + 1) * sizeof(char));
    memcpy(b, a, j * sizeof(char));
    b[j] = i;
    if (fits(j + 1, b)) count[i] = cilk_spawn nqueens(n, j + 1, b);
  }
  cilk_sync;
  for (i = 0; i < n; i++) solutions += count[i];
  return solutions;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 6;
  printf("%d\n", nqueens(n, 0, (char*)alloca(n)));
  return 0;
}
