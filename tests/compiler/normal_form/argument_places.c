// Compound literals last as long as their block, so a child, or a call that is one, may have their
// addresses.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --device=emulated --explain --emit=tasks %s -o %t.out 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks: 4 of 4 functions, 1 of 1 loops
#include <cilk/cilk.h>
#include <stdio.h>

static int at(const int *p, int k) { return p[k]; }
static int rows(int n) {
  if (n < 2) return n;
  int x = cilk_spawn at((int[3]){n, n + 1, n + 2}, 1);
  int y = rows(n - 1);
  cilk_sync;
  return x + y;
}

struct range { int from, to; };
static int length(const struct range *r) {
  if (r->to - r->from < 2) return r->to - r->from;
  const int middle = (r->from + r->to) / 2;
  int a = cilk_spawn length(&(struct range){r->from, middle});
  int b = length(&(struct range){middle, r->to});
  cilk_sync;
  return a + b;
}

/* The value of a literal is one anywhere. */
static long area(struct range x, struct range y) {
  return (long)(x.to - x.from) * (y.to - y.from);
}
static long areas(int n) {
  if (n < 2) return 1;
  struct range *last = &(struct range){n, n * 3};
  long a = cilk_spawn area((struct range){0, n}, *last);
  long b = areas(n - 1);
  cilk_sync;
  last->from += (int)a;
  return a + b + last->from;
}

static long sum(const int *weights, int n) {
  long all[16] = {0};
  cilk_for (int i = 0; i < n; ++i) {
    const int *own = (int[]){i, i * i, 1};
    all[i & 15] += at(own, i % 3) * weights[i & 3];
  }
  long total = 0;
  for (int i = 0; i < 16; ++i) total = total * 3 + all[i];
  return total;
}

int main(void) {
  printf("%d %d %ld\n", rows(9), length(&(struct range){3, 103}), areas(12));
  printf("%ld\n", sum((int[4]){1, 2, 3, 4}, 16));
  return 0;
}
