// Cilk that comes out of macros, and macros in all that is rewritten.
// RUN: %host-code-run-and-compare %s
#include <cilk/cilk.h>
#include <assert.h>
#include <stdio.h>

#define SPAWN cilk_spawn
#define SYNC cilk_sync
#define SPAWN_INTO(place, call) place = cilk_spawn call
#define PARALLEL_FOR(i, n) cilk_for (int i = 0; i < (n); i++)
#define SUM(T, name, identity, reduce) T cilk_reducer(identity, reduce) name
#define FIB(name, base)                      \
  static long name(int n) {                  \
    long x, y;                               \
    if (n < (base)) return n;                \
    x = SPAWN name(n - 1);                   \
    y = name(n - 2);                         \
    SYNC;                                    \
    return x + y;                            \
  }
#define CALL(f, x) f(x)
#define ARGS(a, b) a, b
#define PLACE out[1]
#define ADD_TO(x) (total += (x), count++)
#define BEGIN {
#define END }

FIB(fib, 2)
FIB(slow, 3)

static int add(int a, int b) { return a + b; }
static void zero(void* v) { *(long*)v = 0; }
static void plus(void* l, void* r) { *(long*)l += *(long*)r; }
SUM(static long, total, zero, plus) = 4;

static long braces(int n)
BEGIN
  long x = cilk_spawn fib(n);
  cilk_sync;
  return x;
END

int main(void) {
  int out[4] = {0};
  int hits[10] = {0};
  long cilk_reducer(zero, plus) count = 0;
  long a;
  SPAWN_INTO(a, fib(12));
  out[0] = cilk_spawn CALL(fib, 10);
  PLACE = cilk_spawn add(ARGS(3, 4));
  out[2] = cilk_spawn add(
      1,  // one
      2   /* two */
  );
  SYNC;
  PARALLEL_FOR(i, 10) {
#define LOCAL_MACRO(x) ((x) * 2 + out[0])
    hits[i] = LOCAL_MACRO(i);
    ADD_TO(i);
  }
  PARALLEL_FOR(i, 10) hits[i] += LOCAL_MACRO(i);
#ifdef LOCAL_MACRO
  cilk_for (int i = 0; i < 10; i++) {
#else
  for (;;) {
#endif
    hits[i] += __LINE__;
    assert(hits[i] > 0);
  }
  printf("%ld %d %d %d %ld %ld %ld %ld\n", a, out[0], out[1], out[2], total, count, slow(9), braces(8));
  for (int i = 0; i < 10; i++) printf("%d ", hits[i]);
  printf("%d\n", __LINE__);
  return 0;
}
