#include <cilk/cilk.h>
#include <stdlib.h>

long sum_elsewhere(int from, int to) {
  if (to - from == 1) {
    int* const one = (int*)calloc(1, sizeof(int));
    *one = from;
    const long value = *one;
    free(one);
    return value;
  }
  const int middle = from + (to - from) / 2;
  const long low = cilk_spawn sum_elsewhere(from, middle);
  const long high = sum_elsewhere(middle, to);
  cilk_sync;
  return low + high;
}
