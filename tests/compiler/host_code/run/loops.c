// cilk_for in C in all its forms, with all kinds of variables around it; cilk_scope.
// RUN: %host-code-run-and-compare %s -lm
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
typedef struct { double re, im; } cplx;
static double gtab[100];
static long fib(int n) { if (n < 2) return n; long x = cilk_spawn fib(n - 1); long y = fib(n - 2); cilk_sync; return x + y; }
#define N 10
#define AT(a, i, j) ((a)[(i) * n + (j)])
void matmul(int n, const double *a, const double *b, double *c) {
  cilk_for (int i = 0; i < n; ++i)
    cilk_for (int j = 0; j < n; ++j) {
      double s = 0;
      for (int k = 0; k < n; ++k) s += AT(a, i, k) * AT(b, k, j);
      AT(c, i, j) = s;
    }
}
void vla(int n, double m[n][n]) {
  double t[n][n], u[n];
#pragma cilk grainsize = 2
  cilk_for (int i = 0; i < n; i++) {
    u[i] = i;
    for (int j = 0; j < n; j++) { t[i][j] = m[j][i]; }
  }
  cilk_for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) m[i][j] = t[i][j] + u[j];
}
int main(void) {
  int n = 7, hits[64] = {0}, count = 0; int i;
  struct { int a, b[3]; } loc = {5, {1, 2, 3}};
  double a[49], b[49], c[49];
  for (i = 0; i < 49; i++) a[i] = i, b[i] = 49 - i;
  matmul(n, a, b, c);
  double s = 0; for (i = 0; i < 49; i++) s += c[i] * i;
  printf("%g\n", s);
  double m[5][5]; for (i = 0; i < 25; i++) m[i / 5][i % 5] = i;
  vla(5, m);
  for (i = 0; i < 25; i++) printf("%g ", m[i / 5][i % 5]);
  cilk_for (i = 3; i <= 20; i += 4) hits[i]++;
  printf("\ni=%d\n", i);
  cilk_for (int k = 63; k >= 0; k--) hits[k] += 2;
  cilk_for (unsigned k = 10; k > 3; k -= 3) { if (k == 7) continue; hits[k] += 10; }
  cilk_for (long k = 5; k != 9; ++k) hits[k] += 100;
  cilk_for (char ch = 'a'; ch <= 'e'; ch++) hits[ch - 'a'] += 1000;
  cilk_for (int *p = hits + 60; p < hits + 64; p++) *p += 5;
  cilk_for (int *p = hits + 10; p != hits; p -= 2) *p += 7;
  cilk_for (int k = 0; k < 0; k++) abort();
  cilk_for (int k = 2; k <= sqrt(17.0); k++) hits[k] += 3;
  cilk_for (int k = 0, e = n * 2; k < e; k = k + 2) hits[k] += e;
  cilk_for (size_t k = 0; k < sizeof hits / sizeof *hits; k++) { hits[k] += loc.b[k % 3] + loc.a; }
  cilk_for (int k = 0; 8 > k; k++) {
    long x = cilk_spawn fib(k);
    long y = cilk_spawn fib(k + 1);
    cilk_sync;
    hits[k] += x + y;
  }
  cilk_for (int k = 0; k < 8; k++)
    hits[k + 8] = cilk_spawn fib(k);
  for (i = 0; i < 64; i++) printf("%d ", hits[i]);
  cilk_for (int k = 0; k < 1; k++) { count++; loc.a = 9; }
#define LOCAL(x) ((x) + n)
  cilk_for (int k = 0; k < N; k++) { gtab[k] = LOCAL(k); }
#undef LOCAL
  printf("%d %d %g\n", count, loc.a, gtab[9]);
  const char *names[2];
  cilk_for (int k = 0; k < 2; k++) names[k] = k ? __func__ : __FUNCTION__;
  printf("%s %s\n", names[0], names[1]);
  cilk_scope { hits[0] = cilk_spawn fib(10); hits[1] = cilk_spawn fib(11); }
  printf("%d %d\n", hits[0], hits[1]);
  cilk_scope hits[3] = cilk_spawn fib(12);
  for (i = 0; i < 3; i++) cilk_scope { if (i == 1) continue; hits[i] = cilk_spawn fib(i + 5); if (i == 2) break; }
  printf("%d %d %d %d\n", hits[3], hits[0], hits[1], hits[2]);
  return 0;
}
