// Returns while children still run: each has its implicit sync.
// RUN: %tasks-run-and-compare %s 12
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

static long visited[64];

static void visit(int n) { visited[n] = n; }

static int search(int n, int wanted) {
  int found;
  if (n < 0) return -1;
  cilk_spawn visit(n);
  if (n == wanted) return n * 2;
  if (n % 7 == 6) return 0;
  found = cilk_spawn search(n - 1, wanted);
  for (int i = 0; i < 3; ++i) {
    cilk_spawn visit(32 + i);
    if (i == n) return i;
  }
  cilk_sync;
  if (found < 0) return -n;
  return found + 1;
}

int main(int argc, char** argv) {
  (void)argc;
  long sum = 0;
  for (int i = 0; i < atoi(argv[1]); ++i) printf("%d\n", search(i, i / 2));
  for (int i = 0; i < 64; ++i) sum += visited[i];
  printf("%ld\n", sum);
  return 0;
}
