// Complex numbers of C, with which nvcc makes no code that calculates: in functions that spawn, and in what these call.
// Sums, products and quotients have the host's digits, also of what is infinite, no number, or next to the range's ends.
// RUN: %device-run-and-compare %s -lm
// RUN: %cilk2chan -O1 --serial %s -lm -o %t.limited.ser -fcx-limited-range
// RUN: %t.limited.ser > %t.limited.want
// RUN: %cilk2chan -O1 --device=emulated %s -lm -o %t.limited.out -fcx-limited-range
// RUN: env CHANNELS_DEVICE=emulated %t.limited.out > %t.limited.got
// RUN: cmp %t.limited.want %t.limited.got
// RUN: %cilk2chan --device=cuda --emit=tasks %s -o %t.cu
// RUN: FileCheck --input-file %t.cu --check-prefix TEXT %s
// TEXT: struct fft_cilk
// RUN: %cilk2chan --device=emulated --explain --emit=tasks %s -o %t.emulated.cpp 2>&1 | FileCheck --check-prefix STAYS %s
// STAYS-NOT: stays on the host
#include <cilk/cilk.h>
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#undef CMPLX
#undef CMPLXF
#define CMPLX(x, y) __builtin_complex((double)(x), (double)(y))
#define CMPLXF(x, y) __builtin_complex((float)(x), (float)(y))

typedef double complex number;
typedef struct {
  number at;
  float complex small[2];
  int count;
} particle;

static const number turns[4] = {1, I, -1, -I};
static const number half = 0.5 - 0.25 * I;
static number shift = 2;
static number seen[64];
#define SQUARED(z) ((z) * (z))
#define MIXED(a, b) (2 * (a) - (b) / 3)

static void fft(number* a, number* t, int n) {
  if (n == 1) return;
  for (int i = 0; i < n / 2; ++i) {
    t[i] = a[2 * i];
    t[i + n / 2] = a[2 * i + 1];
  }
  cilk_spawn fft(t, a, n / 2);
  fft(t + n / 2, a + n / 2, n / 2);
  cilk_sync;
  for (int k = 0; k < n / 2; ++k) {
    const number w = cexp(-2 * I * M_PI * k / n) * t[k + n / 2];
    a[k] = t[k] + w;
    a[k + n / 2] = t[k] - w;
  }
}

// A leaf, whose operands are of all kinds.
static number mixed(number z, double x, float f, int n) {
  number made = z + x - f * z + n * z - z / n + x / z - (z - x) * (x - z) + 3;
  made += z;
  made -= x;
  made *= n;
  made /= 1 + f;
  made *= CMPLX(0.5, -0.0) + half;
  made -= turns[n & 3];
  double real = x;
  real *= z;
  int whole = n + 7;
  whole += z;
  float complex narrow = made;
  narrow = narrow * z + f * narrow - conjf(narrow);
  narrow /= z;
  made += narrow + real + whole + ~z + -z + +z;
  made = z == made || z != x ? MIXED(made, SQUARED(z)) : (number)n;
  return made + (n % 3 ? (number)narrow : x) + (float)z + (int)cimag(z) + (double complex){n, x};
}
static int counts(number z, number c) {
  int steps = 0;
  while (steps < 40 && creal(z) * creal(z) + cimag(z) * cimag(z) < 4) z = z * z + c, ++steps;
  if (!z || (z && !c)) steps += 100;
  for (int i = 0; z - i * z && i < 3; ++i) ++steps;
  return steps;
}
// The tables of a function are constants of the host.
static number turned(number z, int n) {
  static const number eighths[8] = {1, 0.7071 + 0.7071 * I, I, -0.7071 + 0.7071 * I, -1};
  static const float complex half_turn = -1.0f + 0.0f * I;
  static const number* const first = eighths;
  return z * eighths[n & 7] * half_turn + first[2];
}
static void scaled(number* first, float complex* second, int n, number by) {
  while (n-- > 0) {
    *first++ *= by;
    *second++ -= 0.5f;
    first[-1] = first[0] = *second + first[-1];
  }
}
static particle moved(particle p, number by) {
  p.at += by * shift;
  __real__ p.at += 1;
  p.small[p.count & 1] = p.at;
  __imag__ p.small[0] = __real__ p.at - __imag__ by;
  ++p.count;
  number some[3] = {p.at, by};
  scaled(some, p.small, 2, by);
  p.at += some[1] * 0.125;
  return p;
}
static number functions(number z, int n) {
  number made = 0;
  switch (n % 8) {
    case 0: made = cexp(z); break;
    case 1: made = clog(z); break;
    case 2: made = csqrt(z); break;
    case 3: made = cpow(z, half * n); break;
    case 4: made = cabs(z) + carg(z) * I; break;
    case 5: made = cproj(z) / conj(z); break;
    case 6: made = csqrtf(z) + cexpf(conjf(z)); break;
    default: made = cpowf(z, 1.5f) + cabsf(conjf(z));
  }
  return made;
}

static number tree(particle p, int n) {
  if (n < 2) return mixed(p.at, n + 0.5, 0.75f, n + 2) + counts(p.small[0] / 20, half) + p.at * p.small[1];
  number sum = cilk_spawn tree(moved(p, 0.25 - n * I), n - 1);
  number other = tree(moved(p, turns[n & 3] / (1 + n)), n - 2);
  cilk_sync;
  for (int i = 0; i < 3; ++i) other += turns[i] * p.at;
  return (sum + functions(p.at, n) / 3) * 0.0625 + other / (sum - 2.5);
}
static number added(int n) {
  if (n < 2) return n - half;
  number all = half;
  float complex less = 1;
  static const number quarter = 0.25 * I;
  all += cilk_spawn added(n - 1);
  less -= cilk_spawn added(n - 2);
  seen[n] = cilk_spawn added(n - 2);
  cilk_sync;
  return turned(all, n) * 0.5 + less + seen[n] + quarter;
}

// Numbers from the whole range, and those that are none.
static double strange(unsigned* seed, int how) {
  const double special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1, DBL_MIN, DBL_MAX, DBL_TRUE_MIN, DBL_EPSILON, -2.5};
  unsigned long bits = 0;
  for (int i = 0; i < 3; ++i) {
    *seed = *seed * 1664525u + 1013904223u;
    bits = bits << 24 | *seed >> 8;
  }
  if (how == 0) return special[bits % 11];
  const int power = (int)(bits >> 53 & 2047) % 2046;
  return ldexp(1 + (bits & 0xfffffffffffffL) * 0x1p-52, power - 1023) * (bits >> 52 & 1 ? -1 : 1);
}
static unsigned long digits(number z) {
  double parts[2] = {creal(z), cimag(z)};
  unsigned long words[2];
  memcpy(words, parts, sizeof words);
  for (int i = 0; i < 2; ++i) words[i] = parts[i] != parts[i] ? 7 : words[i];
  return words[0] * 31 + words[1];
}
static unsigned long checked(int from, int to) {
  unsigned long sum = 0;
  if (to - from > 50) {
    unsigned long a = cilk_spawn checked(from, (from + to) / 2);
    unsigned long b = checked((from + to) / 2, to);
    cilk_sync;
    return a * 3 + b;
  }
  for (int i = from; i < to; ++i) {
    unsigned seed = i;
    double x[4];
    for (int k = 0; k < 4; ++k) x[k] = strange(&seed, i % 3 == 0 ? 0 : i % 3 == 1 ? 1 : (i + k) % 4);
    const number a = CMPLX(x[0], x[1]), b = CMPLX(x[2], x[3]);
    const float complex c = CMPLXF(x[0] * 1e-200, x[1]), d = CMPLXF(x[2], x[3] * 1e-200);
    sum = sum * 3 + digits(a * b) + 5 * digits(a / b) + 7 * digits(c * d) + 11 * digits(c / d) + 13 * digits(x[0] / b) +
          17 * digits(a / x[3]) + 19 * digits(x[1] * b) + 23 * digits(x[1] - b);
  }
  return sum;
}

int main(void) {
  static number a[64], t[64];
  for (int i = 0; i < 64; ++i) a[i] = i % 5 + (i % 3) * I;
  fft(a, t, 64);
  number sum = 0;
  for (int i = 0; i < 64; ++i) sum += a[i] * (i + 1);
  printf("%.9f %.9f\n", creal(sum), cimag(sum));
  particle p = {1 + 2 * I, {0.5, I}, 3};
  shift = 0.125 * I;
  sum = tree(p, 11);
  printf("%.9g %.9g\n", creal(sum), cimag(sum));
  sum = added(9);
  printf("%.9f %.9f\n", creal(sum), cimag(sum));
  printf("%lx\n", checked(0, 6000));
  int image[12][20];
  cilk_for (int y = 0; y < 12; ++y) {
    for (int x = 0; x < 20; ++x) image[y][x] = counts(0, x / 8.0 - 2 + (y / 6.0 - 1) * I);
  }
  long all = 0;
  for (int i = 0; i < 240; ++i) all = (all * 31 + image[i / 20][i % 20]) % 1000003;
  printf("%ld\n", all);
}
