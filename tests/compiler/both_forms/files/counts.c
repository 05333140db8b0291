#include <cilk/cilk.h>
static void zero(void *v) { *(long *)v = 0; }
static void add(void *l, void *r) { *(long *)l += *(long *)r; }
long cilk_reducer(zero, add) total = 0;
void count(long n) { total += n; }
long result(void) { return total; }
long own(long n) {
  long cilk_reducer(zero, add) sum = 0;
  cilk_for (long i = 0; i < n; i++) sum += i;
  return sum;
}
