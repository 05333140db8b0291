// Several syncs in a row, with work between them.
// RUN: %tasks-run-and-compare %s 5000
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

static long sum(const int* values, int count) {
  if (count <= 8) {
    long total = 0;
    for (int i = 0; i < count; ++i) total += values[i];
    return total;
  }
  int quarter = count / 4;
  long a = cilk_spawn sum(values, quarter);
  long b = cilk_spawn sum(values + quarter, quarter);
  cilk_sync;
  long first = a + b;
  long c = cilk_spawn sum(values + 2 * quarter, quarter);
  long d = cilk_spawn sum(values + 3 * quarter, count - 3 * quarter);
  cilk_sync;
  long second = c + d;
  long again = cilk_spawn sum(values, quarter);
  cilk_sync;
  return first + second + (again - a);
}

int main(int argc, char** argv) {
  (void)argc;
  int n = atoi(argv[1]);
  int* values = malloc(sizeof(int) * n);
  for (int i = 0; i < n; ++i) values[i] = (i * 7919) % 1000 - 300;
  printf("%ld\n", sum(values, n));
  free(values);
  return 0;
}
