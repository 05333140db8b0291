#include <cilk/cilk.h>
#include <linked.h>

#if !defined(FROM_FLAGS) || !defined(FROM_BUILD_TYPE) || !defined(FROM_LINKED) || \
    !defined(FROM_LINKED_DIRECTORY) || !defined(FROM_LINKED_OPTION)
#error flags are missing
#endif

extern "C" long sum_up_to(long n) {
  if (n <= 1) return n;
  const long below = cilk_spawn sum_up_to(n - 1);
  cilk_sync;
  return below + n;
}
