/* Reducers of C whose order matters: chains that are joined, and sums of which each order has other
   digits, in recursion, in loops and in a function that declares one.
   RUN: %host-code-run-and-compare %s
   RUN: %device-run-and-compare %s
   RUN: %cilk2chan --device=emulated --explain --emit=tasks %s -o %t.out 2>&1 | FileCheck %s
   CHECK-NOT: stays on the host
   CHECK: tasks: 4 of 4 functions, 2 of 2 loops
*/
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A list with an end. */
typedef struct cell { long value; struct cell *next; } cell;
typedef struct { cell *first, *last; } chain;

static void empty(void *view) { memset(view, 0, sizeof(chain)); }
static void join(void *left, void *right) {
  chain *l = left, *r = right;
  if (!r->first) return;
  if (l->last) l->last->next = r->first;
  else l->first = r->first;
  l->last = r->last;
}
static void add(chain *to, long value) {
  cell *made = malloc(sizeof *made);
  made->value = value;
  made->next = NULL;
  if (to->last) to->last->next = made;
  else to->first = made;
  to->last = made;
}

chain cilk_reducer(empty, join) found;

static int is_prime(long n) {
  for (long d = 2; d * d <= n; ++d)
    if (n % d == 0) return 0;
  return n > 1;
}

static void search(long from, long to) {
  if (to - from < 5) {
    for (long n = from; n < to; ++n)
      if (is_prime(n)) add(&found, n);
    return;
  }
  long middle = from + (to - from) / 2;
  cilk_spawn search(from, middle);
  search(middle, to);
  cilk_sync;
}

/* Sums whose digits depend on their order are the same in each run. */
static void zero(void *view) { *(double *)view = 0; }
static void plus(void *left, void *right) { *(double *)left += *(double *)right; }
double cilk_reducer(zero, plus) total;

static void integrate(double a, double b, int depth) {
  if (depth == 0) {
    total += (b - a) * (a + b) / 2;
    return;
  }
  double m = (a + b) / 2;
  cilk_spawn integrate(a, m, depth - 1);
  cilk_spawn integrate(m, b, depth - 1);
}

/* A local one. */
static long count_pairs(int n) {
  chain cilk_reducer(empty, join) pairs = {NULL, NULL};
  long hash = 0;
  cilk_for (int i = 0; i < n; ++i) {
    for (int j = i; j < n; j += i + 1)
      if ((i ^ j) % 3 == 0) add(&pairs, i * 100 + j);
  }
  for (cell *c = pairs.first; c; c = c->next) hash = hash * 33 + c->value;
  return hash;
}

int main(void) {
  search(0, 3000);
  long hash = 0, many = 0;
  for (cell *c = found.first; c; c = c->next) {
    hash = hash * 31 + c->value;
    ++many;
  }
  printf("%ld %ld\n", many, hash);
  integrate(0, 8, 9);
  printf("%.6f\n", total);
  printf("%ld\n", count_pairs(60));
  cilk_for (int k = 0; k < 100; ++k) {
    cilk_spawn search(k * 10, k * 10 + 10);
    add(&found, -k);
  }
  for (cell *c = found.first; c; c = c->next) hash = hash * 31 + c->value;
  printf("%ld\n", hash);
  return 0;
}
