// Complex numbers of C, and what C++ makes of <complex.h>. What devices calculate with them: devices/complex_of_c.c.
// RUN: %host-code-run-and-compare %s -lm
// RUN: %device-run-and-compare %s -lm
#include <cilk/cilk.h>
#include <complex.h>
#include <math.h>
#include <stdio.h>

typedef double complex number;

static void transform(number* a, number* t, int n) {
  if (n == 1) return;
  for (int i = 0; i < n / 2; ++i) {
    t[i] = a[2 * i];
    t[i + n / 2] = a[2 * i + 1];
  }
  cilk_spawn transform(t, a, n / 2);
  transform(t + n / 2, a + n / 2, n / 2);
  cilk_sync;
  for (int k = 0; k < n / 2; ++k) {
    const number w = (cos(6.25 * k / n) - I * sin(6.25 * k / n)) * t[k + n / 2] + 0.5 * I;
    a[k] = t[k] + w;
    a[k + n / 2] = t[k] - w;
  }
}
static long fib(int n) {
  if (n < 2) return n;
  long a = cilk_spawn fib(n - 1);
  long b = fib(n - 2);
  cilk_sync;
  return a + b;
}

int main(void) {
  static number a[64], t[64];
  for (int i = 0; i < 64; ++i) a[i] = i % 5 + (i % 3) * I;
  transform(a, t, 64);
  double sum = 0;
  for (int i = 0; i < 64; ++i) sum += cabs(a[i]) + creal(conj(a[i]));
  printf("%.6f %.6f %ld\n", sum, cimag(a[3]), fib(9));
}
