// Arguments and results of other types than the variables, and names that generated code uses itself.
// RUN: %tasks-run-and-compare %s 12
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

enum kind { SMALL, LARGE };

static int name = 3;

static short narrow(char c, enum kind kind, unsigned long big, double x) {
  if (c <= 0) return kind == LARGE ? name : 1;
  long frame = cilk_spawn narrow(c - 1, c % 2, big * 3, c);
  double lane = narrow(c - 2, LARGE, x, big % 7);
  cilk_sync;
  long f = frame + lane / 2;
  int args = cilk_spawn narrow(c - 3, SMALL, 7, 2.5f);
  int point = 4;
  cilk_sync;
  return f + args % 5 + point + frame % 3;
}

static void* copy(void* from, int n) {
  int* values = from;
  if (n < 1) return from;
  int* other = cilk_spawn copy(values + 1, n - 1);
  cilk_sync;
  *values += other == NULL ? 0 : n;
  return values;
}

int main(int argc, char** argv) {
  (void)argc;
  int n = atoi(argv[1]);
  int* values = calloc(n + 1, sizeof(int));
  int* same = copy(values, n);
  printf("%d %d %d\n", narrow(n, SMALL, 5, 1.5), same[0], same[n - 1]);
  free(values);
  return 0;
}
