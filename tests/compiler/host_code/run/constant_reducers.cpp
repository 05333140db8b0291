// Reducers that are read through constant objects, references and pointers.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s
#include <cilk/cilk.h>
#include <cstdio>

static void add(void* a, void* b) { *(long*)a += *(long*)b; }
static void zero(void* v) { *(long*)v = 0; }

struct sums {
  long cilk_reducer(zero, add) odd = 1;
  long cilk_reducer(zero, add) even = 2;
  long get() const { return odd * 1000 + even; }
};
static long through_reference(const sums& all) { return all.even; }

static long count(int n) {
  sums all;
  cilk_for (int i = 0; i < n; i++) {
    if (i % 2 == 1) all.odd += i;
    else all.even += i;
  }
  const sums* const pointer = &all;
  return all.get() + through_reference(all) + pointer->odd;
}

int main() {
  for (int n = 0; n < 50; n += 7) std::printf("%ld\n", count(n));
}
