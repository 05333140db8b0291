/* The Mandelbrot set: cilk_for over rows, whose costs differ a hundredfold, with a grain of one
 * row. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

#include "timing.h"

#define MAX_SIDE 4096

static unsigned short image[MAX_SIDE][MAX_SIDE];

/* How often a point near the edge goes around depends on every rounding: none is left out. */
#pragma STDC FP_CONTRACT OFF

static int iterations(double cr, double ci, int limit) {
  double zr = 0, zi = 0;
  int i;
  for (i = 0; i < limit; i++) {
    double rr = zr * zr, ii = zi * zi;
    if (rr + ii > 4.0) break;
    zi = 2 * zr * zi + ci;
    zr = rr - ii + cr;
  }
  return i;
}

int main(int argc, char** argv) {
  const char shades[] = " .:-=+*#%@";
  int side = 128, limit = 255;
  unsigned long long total = 0, hash = 0;

  argc = timing_option(argc, argv);
  if (argc > 1) side = atoi(argv[1]);
  if (argc > 2) limit = atoi(argv[2]);
  if (side < 1 || side > MAX_SIDE || limit < 1 || limit > 65535) {
    fprintf(stderr, "Usage: mandelbrot [-t] [<side> [<limit>]]\n");
    return 1;
  }

  timing_begin();
#pragma cilk grainsize 1
  cilk_for (int y = 0; y < side; y++) {
    double ci = 2.5 * y / side - 1.25;
    for (int x = 0; x < side; x++) {
      double cr = 3.0 * x / side - 2.25;
      image[y][x] = (unsigned short)iterations(cr, ci, limit);
    }
  }
  timing_end();

  for (int y = 0; y < side; y++)
    for (int x = 0; x < side; x++) {
      total += image[y][x];
      hash = hash * 31 + image[y][x];
    }
  if (side <= 160)
    for (int y = 0; y < side; y += (side + 23) / 24) {
      for (int x = 0; x < side; x += (side + 71) / 72) putchar(shades[image[y][x] * 9 / limit]);
      putchar('\n');
    }
  printf("mandelbrot %d, at most %d: %llu iterations, hash %016llx\n", side, limit, total, hash);
  return 0;
}
