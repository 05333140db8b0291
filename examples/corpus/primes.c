/* Primes below n: the small ones by a sieve in a table, then the segments above them, spawned from
 * main in a loop; each segment has its own bits in a static table. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing.h"

#define SQRT_MAX 32768
#define SEGMENT 16384
#define SEGMENTS 16384

static char composite[SQRT_MAX];
static int small[4096], smalls;
static int counts[SEGMENTS];
static long last[SEGMENTS];

static void sieve_small(void) {
  int i, j;
  for (i = 2; i < SQRT_MAX; i++) {
    if (composite[i]) continue;
    small[smalls++] = i;
    for (j = i * 2; j < SQRT_MAX; j += i) composite[j] = 1;
  }
}

/* Primes in [low, high); the largest to *largest. */
static int sieve_segment(long low, long high, long* largest) {
  char marks[SEGMENT];
  int i, count = 0;
  long m;

  memset(marks, 0, sizeof(marks));
  for (i = 0; i < smalls && (long)small[i] * small[i] < high; i++) {
    long p = small[i];
    m = (low + p - 1) / p * p;
    if (m < p * p) m = p * p;
    for (; m < high; m += p) marks[m - low] = 1;
  }
  for (m = low < 2 ? 2 : low; m < high; m++)
    if (!marks[m - low]) {
      count++;
      *largest = m;
    }
  return count;
}

static int sum(const int* from, const int* to) {
  if (to - from == 1) return *from;
  const int* middle = from + (to - from) / 2;
  int left = cilk_spawn sum(from, middle);
  int right = sum(middle, to);
  cilk_sync;
  return left + right;
}

int main(int argc, char** argv) {
  long n = 200000, low, largest = 0;
  int used = 0, total = 0, i;

  argc = timing_option(argc, argv);
  if (argc > 1) n = atol(argv[1]);
  if (n < 3 || n > (long)SEGMENT * SEGMENTS) {
    fprintf(stderr, "Usage: primes [-t] [<n, at most %ld>]\n", (long)SEGMENT * SEGMENTS);
    return 1;
  }
  timing_begin();
  sieve_small();
  cilk_scope {
    for (low = 0; low < n; low += SEGMENT, used++)
      counts[used] =
          cilk_spawn sieve_segment(low, low + SEGMENT < n ? low + SEGMENT : n, last + used);
  }
  total = cilk_spawn sum(counts, counts + used);
  for (i = 0; i < used; i++)
    if (last[i] > largest) largest = last[i];
  cilk_sync;
  timing_end();

  printf("%d primes below %ld, the largest %ld\n", total, n, largest);
  return 0;
}
