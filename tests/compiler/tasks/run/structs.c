// Structures as parameters and results, members and elements as places for results. An int is
// converted to a short member of a list, which is an error in C++.
// RUN: %tasks-run-and-compare %s 40
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

struct range {
  short low, high;
};
typedef struct {
  int minimum, maximum;
  long sum;
} summary;

struct pair {
  summary parts[2];
  int used;
};

summary summarise(const int* values, struct range where) {
  if (where.high - where.low == 1) {
    summary one = {values[where.low], values[where.low], values[where.low]};
    return one;
  }
  struct pair both = {.used = 2};
  int middle = (where.low + where.high) / 2;
  struct range lower = {where.low, middle};
  struct range upper = where;
  upper.low = middle;
  both.parts[0] = cilk_spawn summarise(values, lower);
  both.parts[1] = summarise(values, upper);
  cilk_sync;
  summary all = both.parts[0];
  if (both.parts[1].minimum < all.minimum) all.minimum = both.parts[1].minimum;
  if (both.parts[1].maximum > all.maximum) all.maximum = both.parts[1].maximum;
  all.sum += both.parts[1].sum * (both.used - 1);
  return all;
}

int main(int argc, char** argv) {
  (void)argc;
  int n = atoi(argv[1]);
  int* values = malloc(n * sizeof *values);
  for (int i = 0; i < n; ++i) values[i] = (i * 31 + 7) % 53;
  struct range where = {0, n};
  summary result = summarise(values, where);
  printf("%d %d %ld\n", result.minimum, result.maximum, result.sum);
  free(values);
  return 0;
}
