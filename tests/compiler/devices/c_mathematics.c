// The mathematics of C: `sqrt` of a float is that of a double, `abs` of anything that of an int. C++ has other
// functions of these names.
// RUN: %device-run-and-compare %s -lm
#include <cilk/cilk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct tools {
  double (*floor)(double);
  int round;
};
// The program's own, whatever the library has.
static long ceilings;
#define fmin(a, b) ((a) < (b) ? (a) : (b))
static int own_trunc(float x) { return (int)(x * 2); }

static double each(float x, long n) {
  const double sum = sqrt(x) + exp(x / 8) + pow(x, 0.3f) + sin(x) + log(x + 3) + hypot(x, 3) + atan2(x, 2) +
                     fmax(x, 2.5f) + floor(x) + fabs(x) * 0.1f + fmod(x, 0.7f) + cbrt(x) + round(x) / 3;
  return sum + fmin(x, 3) + own_trunc(x) + (double)lround(x) / 7 + (sqrt(n) - (float)sqrt(n));
}
static double norm(const float* v, long n) {
  if (n == 1) return each(v[0], n + 1);
  double a = cilk_spawn norm(v, n / 2);
  double b = norm(v + n / 2, n - n / 2);
  cilk_sync;
  return a + b * 0.75;
}
static double whole(const float* v, int n) {
  const struct tools own = {0, 3};
  if (n == 1) return abs((int)v[0]) + abs(-(1L << 32) - 5) + own.round;
  double a = cilk_spawn whole(v, n / 2);
  double b = whole(v + n / 2, n - n / 2);
  cilk_sync;
  return a + b;
}

int main(void) {
  float v[8];
  for (int i = 0; i < 8; ++i) v[i] = 1.3f * i + 0.1f;
  printf("%.12f %.2f %ld\n", norm(v, 8), whole(v, 8), ceilings);
}
