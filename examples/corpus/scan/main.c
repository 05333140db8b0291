/* Prefix sums of a million numbers; the functions that spawn are in scan.c. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

#include "../timing.h"
#include "scan.h"

int main(int argc, char** argv) {
  long n = 100000, i;
  number *in, *out, *partial, sum, all, hash = 0;
  int good = 1;

  argc = timing_option(argc, argv);
  if (argc > 1) n = atol(argv[1]);
  if (n < 1) return 1;
  in = malloc(n * sizeof(number));
  out = malloc(n * sizeof(number));
  partial = malloc(scan_partials(n) * sizeof(number));
  cilk_for (long k = 0; k < n; ++k) in[k] = (number)k * 2654435761u % 1000;

  timing_begin();
  all = cilk_spawn scan_up(in, 0, n, partial);
  cilk_sync;
  cilk_spawn scan_down(in, out, 0, n, partial, 0);
  cilk_sync;
  timing_end();

  for (sum = 0, i = 0; i < n; i++) {
    sum += in[i];
    good &= out[i] == sum;
    hash = hash * 31 + out[i];
  }
  good &= sum == all;
  printf("scan of %ld: sum %lu, hash %016lx, %s\n", n, all, hash, good ? "right" : "WRONG");
  free(in);
  free(out);
  free(partial);
  return good ? 0 : 1;
}
