#include <cilk/cilk.h>

extern "C" long sum_up_to(long n) {
  if (n <= 1) return n;
  const long below = cilk_spawn sum_up_to(n - 1);
  cilk_sync;
  return below + n;
}
