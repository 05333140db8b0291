// A file whose tasks use a variable of another, which a pointer leads to.
#include <cilk/cilk.h>
#include "variables.h"
static long own;
int *to_ours = &ours;
void theirs(int lo, int hi) {
  if (hi - lo == 1) {
    __atomic_fetch_add(to_ours, lo, __ATOMIC_RELAXED);
    __atomic_fetch_add(&ours, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&own, 2, __ATOMIC_RELAXED);
    return;
  }
  int mid = (lo + hi) / 2;
  cilk_spawn theirs(lo, mid);
  theirs(mid, hi);
  cilk_sync;
  if (hi - lo == 16) ours += (int)own;
}
