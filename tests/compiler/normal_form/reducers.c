// Reducers in tasks: recursion that adds to globals, members, arrays and through pointers; loops whose chunks have
// views of their own; resets and reads, whose functions give away their loops. What is left to the host is right, too.
// RUN: %host-code-run-and-compare %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t.lowered 2>&1 | FileCheck %s
// A strand's view is its own in 'delta'.
// CHECK-NOT: delta: stays
// CHECK-NOT: stays on the host
// CHECK: tasks{{ +}}{{[1-9][0-9]+}}
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
static void zero(void* v) { *(long* )v = 0; }
static void plus(void* l, void* r) { *(long* )l += *(long* )r; }
static void izero(void* v) { *(int *)v = 0; }
static void iplus(void* l, void* r) { *(int *)l += *(int *)r; }
static void uzero(void* v) { *(unsigned char *)v = 0; }
static void uor(void* l, void* r) { *(unsigned char *)l |= *(unsigned char *)r; }
static void ones(void* v) { *(unsigned *)v = ~0u; }
static void uand(void* l, void* r) { *(unsigned *)l = *(unsigned *)l & *(unsigned *)r; }
static void one(void* v) { *(unsigned long* )v = 1; }
static void times(void* l, void* r) { *(unsigned long* )l *= *(unsigned long* )r; }
static void top(void* v) { *(double* )v = 1e300; }
static void dmin(void* l, void* r) { double* a = l, *b = r; if (*b < *a) *a = *b; }
static void dzero(void* v) { *(double* )v = 0; }
static void dplus(void* l, void* r) { *(double* )l += *(double* )r; }
typedef long cilk_reducer(zero, plus) adder;
long cilk_reducer(zero, plus) total = 5;
static adder other;
int cilk_reducer(izero, iplus) hist[16];
struct holder { int pad; adder sum; unsigned char cilk_reducer(uzero, uor) bits; } hold;
unsigned cilk_reducer(ones, uand) mask = ~0u;
unsigned long cilk_reducer(one, times) product = 1;
double cilk_reducer(top, dmin) low = 1e300;
double cilk_reducer(dzero, dplus) dsum = 0;
static int v(int i) { return (int)((unsigned)i * 2654435761u >> 20) - 1000; }
/* pointers to reducers */
static void into(adder* p, int n) {
  cilk_for (int i = n; i > 0; i -= 3) *p += i;
}
static void count(long cilk_reducer(zero, plus) *p, int lo, int hi) {
  if (hi - lo == 1) { *p += v(lo); hold.sum -= lo; hold.bits |= (unsigned char)(1 << (lo % 7)); hist[lo & 15]++; return; }
  int m = (lo + hi) / 2;
  cilk_spawn count(p, lo, m);
  count(p, m, hi);
  cilk_sync;
}
/* a reset and reads, in a function that others call */
static long solve(int n) {
  total = 0;
  cilk_for (int i = 0; i < n; i++) { if (i % 3 == 0) continue; total += v(i); }
  return total * 2;
}
/* a strand's own difference */
static long delta(int lo, int hi) {
  if (hi - lo == 1) { long before = other; for (int i = 0; i < 5; i++) other += i; return other - before; }
  int m = (lo + hi) / 2;
  long a = cilk_spawn delta(lo, m);
  long b = delta(m, hi);
  cilk_sync;
  return a + b;
}
static long nested(int n) {
  long cilk_reducer(zero, plus) s = 10;
  cilk_for (int i = 0; i < n; i++) { cilk_for (unsigned j = 0; j != (unsigned)i; j++) s += j; mask &= ~(unsigned)(i & 0xf0); product *= (unsigned long)(2 * i + 1); }
  long all = s;
  cilk_for (long j = n - 1; j >= 0; --j) s -= j;
  return all * 3 + s;
}
static long local(int n) {
  adder s = 0;
  for (int r = 0; r < 3; r++) { cilk_spawn count(&s, 0, n); s += r; cilk_sync; if (s > 100000) s++; }
  return s;
}
static void smallest(int n) {
#pragma cilk grainsize 7
  cilk_for (int i = 0; i < n; i++) { double x = v(i) * 0.5; if (x < low) low = x; }
}
static double dots(int n) {
  cilk_for (int i = 0; i < n; i++) dsum += 1.0 / (i + 1);
  return dsum;
}
static long mixed(int n) {
  long cilk_reducer(zero, plus) s = 0;
  cilk_for (int i = 0; i < n; i++) { s += (long)(i * 0.75); s++; --s; s = s + 2; s = 1 + s; }
  return s;
}
typedef struct { int n, at[4]; } firsts;
static void none(void* v) { ((firsts* )v)->n = 0; }
static void append(void* l, void* r) {
  firsts* a = l, *b = r;
  for (int i = 0; i < b->n && a->n < 4; i++) a->at[a->n++] = b->at[i];
}
static void note(int n) { total += n; }
static void calls(int lo, int hi) {
  if (hi - lo == 1) { note(v(lo)); return; }
  int m = (lo + hi) / 2;
  cilk_spawn calls(lo, m);
  calls(m, hi);
}
int main(void) {
  long cilk_reducer(zero, plus) mine = 1;
  count(&total, 0, 500);
  printf("%ld %ld %d\n", total, hold.sum, hold.bits);
  for (int i = 0; i < 16; i++) printf("%d ", hist[i]);
  into(&mine, 1000);
  printf("\n%ld\n", mine);
  printf("%ld\n", solve(4000));
  printf("%ld %ld\n", delta(0, 64), other);
  printf("%ld %u %lu\n", nested(70), mask, product);
  printf("%ld\n", local(100));
  smallest(30000);
  printf("%g\n", low);
  printf("%.17g\n", dots(10) > 2 ? 1.0 : 0.0);
  printf("%ld\n", mixed(3000));
  firsts cilk_reducer(none, append) found = {0};
  cilk_for (int i = 0; i < 9000; i++) { if (v(i) % 101 == 7 && found.n < 4) found.at[found.n++] = i; }
  calls(0, 300);
  printf("%d: %d %d %d %d %ld\n", found.n, found.at[0], found.at[1], found.at[2], found.at[3], total);
  struct holder h = {0, 7, 0};
  cilk_for (int i = 0; i < 1000; i++) { h.sum += i; if (i == 5) h.bits |= 4; }
  printf("%ld %d\n", h.sum, h.bits);
  return 0;
}
