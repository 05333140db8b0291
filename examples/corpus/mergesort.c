/* Mergesort whose merges are parallel, too, with a copy back behind each: sorts n integers. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing.h"

static void merge(const int* a, long na, const int* b, long nb, int* to) {
  if (na + nb < 256) {
    while (na > 0 && nb > 0) {
      if (*b < *a) {
        *to++ = *b++;
        nb--;
      } else {
        *to++ = *a++;
        na--;
      }
    }
    memcpy(to, a, na * sizeof *a);
    memcpy(to + na, b, nb * sizeof *b);
    return;
  }
  if (na < nb) {
    const int* other = a;
    a = b;
    b = other;
    long count = na;
    na = nb;
    nb = count;
  }
  long la = na / 2, lb = 0, end = nb;
  while (lb < end) {
    long middle = (lb + end) / 2;
    if (b[middle] < a[la])
      lb = middle + 1;
    else
      end = middle;
  }
  cilk_spawn merge(a, la, b, lb, to);
  merge(a + la, na - la, b + lb, nb - lb, to + la + lb);
  cilk_sync;
}

static void sort(int* a, long n, int* spare) {
  if (n <= 32) {
    for (long i = 1; i < n; i++) {
      int x = a[i];
      long j = i;
      for (; j > 0 && a[j - 1] > x; j--) a[j] = a[j - 1];
      a[j] = x;
    }
    return;
  }
  long half = n / 2;
  cilk_spawn sort(a, half, spare);
  sort(a + half, n - half, spare + half);
  cilk_sync;
  merge(a, half, a + half, n - half, spare);
  memcpy(a, spare, n * sizeof *a);
}

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  long n = argc > 1 ? atol(argv[1]) : 100000;
  if (n < 1) {
    fprintf(stderr, "Usage: mergesort [-t] [<n>]\n");
    return 1;
  }
  int* a = malloc(n * sizeof *a);
  int* spare = malloc(n * sizeof *spare);
  if (a == NULL || spare == NULL) return 1;
  unsigned x = 7;
  for (long i = 0; i < n; i++) {
    x = x * 1664525 + 1013904223;
    a[i] = (int)(x >> 8);
  }

  timing_begin();
  sort(a, n, spare);
  timing_end();

  unsigned long hash = 0;
  int sorted = 1;
  for (long i = 0; i < n; i++) {
    hash = hash * 31 + (unsigned long)a[i];
    sorted &= i == 0 || a[i - 1] <= a[i];
  }
  printf("mergesort %ld: hash %lx, %s\n", n, hash, sorted ? "sorted" : "WRONG");
  free(a);
  free(spare);
  return !sorted;
}
