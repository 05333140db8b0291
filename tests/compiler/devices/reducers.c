// Reducers on a device: of C, of Cilk Plus's C, and views that are reduced in order.
// RUN: %device-run-and-compare %s
#include <cilk/cilk.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_min.h>
#include <stdio.h>
CILK_C_REDUCER_OPADD(hits, long, 0);
CILK_C_REDUCER_MAX(most, int, -5);
static int f(int i) { return (i * 7919) % 1000; }
static void go(int lo, int hi) {
  if (hi - lo < 8) {
    for (int i = lo; i < hi; i++) { REDUCER_VIEW(hits) += f(i); CILK_C_REDUCER_MAX_CALC(most, f(i)); }
    return;
  }
  int m = lo + (hi - lo) / 2;
  cilk_spawn go(lo, m);
  cilk_spawn go(m, hi);
}
static void zero(void* v) { *(long*)v = 0; }
static void plus(void* l, void* r) { *(long*)l += *(long*)r; }
long cilk_reducer(zero, plus) total = 5;
static void lowest(void* v) { *(int*)v = -1; }
static void larger(void* l, void* r) { if (*(int*)l < *(int*)r) *(int*)l = *(int*)r; }
static long count(int n) {
  long cilk_reducer(zero, plus) odd = 0;
  cilk_for (int i = 0; i < n; i++) odd += f(i) & 1;
  return odd;
}
/* called, and not spawned: it adds to what its caller adds to */
static void note(int n) { total += n; }
static void sums(int lo, int hi) {
  if (hi - lo < 4) { for (int i = lo; i < hi; i++) { total += count(i); note(i); } return; }
  int m = lo + (hi - lo) / 2;
  cilk_spawn sums(lo, m);
  sums(m, hi);
}
int main(void) {
  go(0, 400);
  printf("%ld %d\n", REDUCER_VIEW(hits), REDUCER_VIEW(most));
  CILK_C_REDUCER_MIN_INDEX(least, int, 2147483647);
  CILK_C_REGISTER_REDUCER(least);
  cilk_for (int i = 0; i < 500; i++) CILK_C_REDUCER_MIN_INDEX_CALC(least, i, f(i) + 3);
  printf("%ld %d\n", (long)REDUCER_VIEW(least).index, REDUCER_VIEW(least).value);
  CILK_C_UNREGISTER_REDUCER(least);
  sums(0, 40);
  int cilk_reducer(lowest, larger) best = -1;
  cilk_for (int i = 0; i < 700; i++) if (f(i) > best) best = f(i);
  printf("%ld %d\n", total, best);
  return 0;
}
