/* Mergesort of integers in four parts, with parallel merges.
 *
 * omp_sort [-t] [n] */
#include "../timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int element;

enum { sort_limit = 64, merge_limit = 128 };

static void insertion_sort(element* from, long n) {
  for (long i = 1; i < n; i++) {
    element value = from[i];
    long k = i;
    for (; k > 0 && from[k - 1] > value; k--) from[k] = from[k - 1];
    from[k] = value;
  }
}

static void serial_merge(const element* a, long n, const element* b, long m, element* to) {
  while (n > 0 && m > 0) {
    if (*b < *a) {
      *to++ = *b++;
      m--;
    } else {
      *to++ = *a++;
      n--;
    }
  }
  for (; n > 0; n--) *to++ = *a++;
  for (; m > 0; m--) *to++ = *b++;
}

/* How many of the first elements are less than `value`. */
static long less_than(element value, const element* in, long n) {
  long low = 0, high = n;
  while (low < high) {
    long middle = low + (high - low) / 2;
    if (in[middle] < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void merge(const element* a, long n, const element* b, long m, element* to) {
  if (n + m < merge_limit) {
    serial_merge(a, n, b, m, to);
    return;
  }
  if (n < m) {
    merge(b, m, a, n, to);
    return;
  }
  long half = n / 2;
  long other = less_than(a[half], b, m);
#pragma omp task untied
  merge(a, half, b, other, to);
#pragma omp task untied
  merge(a + half, n - half, b + other, m - other, to + half + other);
#pragma omp taskwait
}

static void sort(element* from, element* room, long n) {
  if (n < sort_limit) {
    insertion_sort(from, n);
    return;
  }
  long quarter = n / 4;
  element *b = from + quarter, *c = b + quarter, *d = c + quarter;
  element *room_b = room + quarter, *room_c = room_b + quarter, *room_d = room_c + quarter;
#pragma omp task untied
  sort(from, room, quarter);
#pragma omp task untied
  sort(b, room_b, quarter);
#pragma omp task untied
  sort(c, room_c, quarter);
#pragma omp task untied
  sort(d, room_d, n - 3 * quarter);
#pragma omp taskwait
#pragma omp task untied
  merge(from, quarter, b, quarter, room);
#pragma omp task untied
  merge(c, quarter, d, n - 3 * quarter, room_c);
#pragma omp taskwait
  merge(room, 2 * quarter, room_c, n - 2 * quarter, from);
}

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  long n = argc > 1 ? atol(argv[1]) : 5000;
  element* all = malloc(n * sizeof(element));
  element* room = malloc(n * sizeof(element));
  long sum = 0, after = 0, wrong = 0;
  unsigned random = 1;
  for (long i = 0; i < n; i++) {
    random = random * 1664525u + 1013904223u;
    all[i] = (element)(random >> 8);
  }
#pragma omp parallel for reduction(+ : sum)
  for (long i = 0; i < n; i++) sum += all[i];
  timing_begin();
#pragma omp parallel
#pragma omp single nowait
  sort(all, room, n);
  timing_end();
#pragma omp parallel for reduction(+ : after, wrong)
  for (long i = 0; i < n; i++) {
    after += all[i];
    if (i > 0 && all[i - 1] > all[i]) wrong++;
  }
  printf("omp_sort %ld: %s, sum %ld\n", n, wrong == 0 && sum == after ? "sorted" : "wrong", after);
  free(all);
  free(room);
  return 0;
}
