/* A histogram of random bytes, with its sums, extremes and parity, by reducers: in a loop, and by
 * halving. A serial pass checks both. */
#include <cilk/cilk.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_min.h>
#include <cilk/reducer_opadd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing.h"

#define BINS 64

void zero(void* view) { *(long*)view = 0; }
void plus(void* left, void* right) { *(long*)left += *(long*)right; }
void none(void* view) { *(unsigned*)view = 0; }
void differ(void* left, void* right) { *(unsigned*)left ^= *(unsigned*)right; }

static long cilk_reducer(zero, plus) bins[BINS];
static unsigned cilk_reducer(none, differ) parity = 0;
static CILK_C_REDUCER_OPADD(total, long, 0);

static unsigned char* bytes;

static void count(int begin, int end) {
  if (end - begin > 500) {
    int middle = begin + (end - begin) / 2;
    cilk_spawn count(begin, middle);
    count(middle, end);
    return;
  }
  for (int i = begin; i < end; i++) {
    bins[bytes[i] % BINS]++;
    parity ^= bytes[i];
    REDUCER_VIEW(total) += bytes[i];
  }
}

int main(int argc, char** argv) {
  int n = 40000, i, bad = 0, largest_bin = 0;
  long sum = 0, serial[BINS] = {0};
  unsigned odd = 0, state = 12345;
  CILK_C_REDUCER_OPADD(big, long, 0);
  CILK_C_REDUCER_MAX(highest, int, -1);
  CILK_C_REDUCER_MIN(lowest, int, 1000);

  argc = timing_option(argc, argv);
  if (argc > 1) n = atoi(argv[1]);
  bytes = malloc((size_t)n + 1);
  for (i = 0; i < n; i++) {
    state = state * 1103515245u + 12345u;
    bytes[i] = (unsigned char)(state >> 16) & 127;
  }

  timing_begin();
  count(0, n);
  CILK_C_REGISTER_REDUCER(big);
  CILK_C_REGISTER_REDUCER(highest);
  CILK_C_REGISTER_REDUCER(lowest);
  cilk_for (int k = 0; k < n; k++) {
    if (bytes[k] >= 100) REDUCER_VIEW(big)++;
    CILK_C_REDUCER_MAX_CALC(highest, bytes[k]);
    CILK_C_REDUCER_MIN_CALC(lowest, bytes[k]);
  }
  CILK_C_UNREGISTER_REDUCER(lowest);
  CILK_C_UNREGISTER_REDUCER(highest);
  CILK_C_UNREGISTER_REDUCER(big);
  timing_end();

  for (i = 0; i < n; i++) {
    serial[bytes[i] % BINS]++;
    sum += bytes[i];
    odd ^= bytes[i];
  }
  for (i = 0; i < BINS; i++) {
    if (serial[i] != bins[i]) bad++;
    if (bins[i] > bins[largest_bin]) largest_bin = i;
  }
  printf(
      "histogram of %d: sum %ld, parity %u, most in bin %d, %ld of 100 and more, from %d to %d\n",
      n, REDUCER_VIEW(total), parity, largest_bin, REDUCER_VIEW(big), REDUCER_VIEW(lowest),
      REDUCER_VIEW(highest));
  free(bytes);
  return bad == 0 && sum == REDUCER_VIEW(total) && odd == parity ? 0 : 1;
}
