// A device reduces in more parts than the host, and neighbours first.
// RUN: %device-run-and-compare -fopenmp-tasks %s
// RUN: %host-code-run-and-compare -fopenmp-tasks %s
// RUN: %cilk2chan --device=emulated -fopenmp-tasks --explain --emit=tasks %s -o %t.out 2>&1 \
// RUN:   | FileCheck %s
// CHECK: reduce (cilk_for in line 28): side by side on lanes of a GPU
// CHECK: tasks: 3 of 3 functions, 5 of 5 loops
#include <stdio.h>
#include <stdlib.h>

struct answers {
  long sum, least, greatest;
  unsigned long product;
  double halves;
  int all, some;
  unsigned bits;
};

static struct answers reduce(const int* values, long n) {
  long sum = 5, least = 1000000, greatest = -1;
  unsigned long product = 1;
  double halves = 0.25;
  int all = 1, some = 0;
  unsigned bits = 0;
#pragma omp parallel for reduction(+ : sum, halves) reduction(min : least) \
    reduction(max : greatest) reduction(* : product) reduction(&& : all)   \
    reduction(|| : some) reduction(^ : bits)
  for (long i = 0; i < n; i++) {
    sum += values[i];
    halves += values[i] * 0.5;
    if (values[i] < least) least = values[i];
    if (values[i] > greatest) greatest = values[i];
    product *= (unsigned)values[i] % 3 + 1;
    all = all && values[i] >= 0;
    some = some || values[i] == 77777;
    bits ^= (unsigned)values[i] * 2654435761u;
  }
  struct answers found = {sum, least, greatest, product, halves, all, some, bits};
  return found;
}

static void count(const int* values, long n, long* classes, int many) {
#pragma omp parallel for reduction(+ : classes[1 : many])
  for (long i = 0; i < n; i++) classes[1 + values[i] % many]++;
}

int main(void) {
  enum { most = 5000 };
  static const long sizes[] = {0, 1, 2, 255, 256, 257, 511, 512, 1000, most};
  int* values = malloc(most * sizeof *values);
  long classes[41];
#pragma omp parallel for
  for (int i = 0; i < most; i++) values[i] = (int)((i * 7919L + 13) % 99991);
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    struct answers found = reduce(values, sizes[k]);
    printf("%ld: %ld %ld %ld %lu %.2f %d %d %u\n", sizes[k], found.sum, found.least,
           found.greatest, found.product, found.halves, found.all, found.some, found.bits);
    for (int many = 1; many <= 40; many += 39) {
      unsigned long hash = 0;
      for (int i = 0; i < 41; i++) classes[i] = i;
      count(values, sizes[k], classes, many);
      for (int i = 0; i < 41; i++) hash = hash * 31 + (unsigned long)classes[i];
      printf("%lu ", hash);
    }
    printf("\n");
  }
  free(values);
  return 0;
}
