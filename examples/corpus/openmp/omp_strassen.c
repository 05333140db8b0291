/* Products of square matrices of whole numbers by Strassen's algorithm: seven tasks for each
 * product down to a depth, each with memory of its own.
 *
 * omp_strassen [-t] [size] [smallest] */
#include "../timing.h"

#include <stdio.h>
#include <stdlib.h>

static int smallest;

static void multiply(int n, const int* a, int la, const int* b, int lb, int* c, int lc) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) c[i * lc + k] = 0;
    for (int j = 0; j < n; j++) {
      for (int k = 0; k < n; k++) c[i * lc + k] += a[i * la + j] * b[j * lb + k];
    }
  }
}

/* c = a + sign * b */
static void combine(int n, const int* a, int la, const int* b, int lb, int sign, int* c) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) c[i * n + k] = a[i * la + k] + sign * b[i * lb + k];
  }
}

static void strassen(int n, const int* a, int la, const int* b, int lb, int* c, int lc) {
  if (n <= smallest || n % 2 != 0) {
    multiply(n, a, la, b, lb, c, lc);
    return;
  }
  const int h = n / 2;
  const size_t part = (size_t)h * (size_t)h;
  const int *a11 = a, *a12 = a + h, *a21 = a + h * la, *a22 = a + h * la + h;
  const int *b11 = b, *b12 = b + h, *b21 = b + h * lb, *b22 = b + h * lb + h;
  int* memory = (int*)malloc(17 * part * sizeof(int));
  int* m[7];
  int* s[10];
  for (int i = 0; i < 7; i++) m[i] = memory + (size_t)i * part;
  for (int i = 0; i < 10; i++) s[i] = memory + (size_t)(7 + i) * part;
  combine(h, a11, la, a22, la, 1, s[0]);
  combine(h, b11, lb, b22, lb, 1, s[1]);
  combine(h, a21, la, a22, la, 1, s[2]);
  combine(h, b12, lb, b22, lb, -1, s[3]);
  combine(h, b21, lb, b11, lb, -1, s[4]);
  combine(h, a11, la, a12, la, 1, s[5]);
  combine(h, a21, la, a11, la, -1, s[6]);
  combine(h, b11, lb, b12, lb, 1, s[7]);
  combine(h, a12, la, a22, la, -1, s[8]);
  combine(h, b21, lb, b22, lb, 1, s[9]);
#pragma omp task untied
  strassen(h, s[0], h, s[1], h, m[0], h);
#pragma omp task untied
  strassen(h, s[2], h, b11, lb, m[1], h);
#pragma omp task untied
  strassen(h, a11, la, s[3], h, m[2], h);
#pragma omp task untied
  strassen(h, a22, la, s[4], h, m[3], h);
#pragma omp task untied
  strassen(h, s[5], h, b22, lb, m[4], h);
#pragma omp task untied
  strassen(h, s[6], h, s[7], h, m[5], h);
#pragma omp task untied
  strassen(h, s[8], h, s[9], h, m[6], h);
#pragma omp taskwait
  for (int i = 0; i < h; i++) {
    for (int k = 0; k < h; k++) {
      const int at = i * h + k;
      c[i * lc + k] = m[0][at] + m[3][at] - m[4][at] + m[6][at];
      c[i * lc + h + k] = m[2][at] + m[4][at];
      c[(h + i) * lc + k] = m[1][at] + m[3][at];
      c[(h + i) * lc + h + k] = m[0][at] - m[1][at] + m[2][at] + m[5][at];
    }
  }
  free(memory);
}

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  int n = argc > 1 ? atoi(argv[1]) : 32;
  smallest = argc > 2 ? atoi(argv[2]) : 8;
  const size_t all = (size_t)n * (size_t)n;
  int* a = (int*)malloc(all * sizeof(int));
  int* b = (int*)malloc(all * sizeof(int));
  int* c = (int*)malloc(all * sizeof(int));
  int* plain = (int*)malloc(all * sizeof(int));
  long trace = 0;
  int wrong = 0, last = 0;
#pragma omp parallel for lastprivate(last)
  for (int i = 0; i < (int)all; i++) {
    a[i] = i * 7 % 19 - 9;
    b[i] = i * 5 % 23 - 11;
    last = a[i];
  }
  timing_begin();
#pragma omp parallel
#pragma omp single
  strassen(n, a, n, b, n, c, n);
  timing_end();
  multiply(n, a, n, b, n, plain, n);
#pragma omp parallel for reduction(+ : trace, wrong)
  for (int i = 0; i < n; i++) {
    trace += c[i * n + i];
    for (int k = 0; k < n; k++) wrong += c[i * n + k] != plain[i * n + k];
  }
  printf("omp_strassen %d: trace %ld, %d wrong, last %d\n", n, trace, wrong, last);
  free(a);
  free(b);
  free(c);
  free(plain);
  return 0;
}
