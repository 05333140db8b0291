// Loops that the lanes of a GPU's wavefront share: what they print is what the serial program prints.
// RUN: %device-run-and-compare %s --device-aggregator
// RUN: %cilk2chan --device=emulated --explain --emit=tasks %s -o %t.explained 2>&1 | FileCheck %s
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { leaf = 50 };

// CHECK-LABEL: {{^}}scale: its loops on a GPU
static void scale(double* restrict to, const double* restrict from, int n, double by) {
  // CHECK-NEXT: line [[@LINE+1]]: side by side on lanes{{$}}
  for (int i = 0; i < n; i++) to[i] = by * from[i] + i;
}

// CHECK-NEXT: {{^}}shift: its loops on a GPU
static void shift(int* to, const int* from, int n) {
  // CHECK-NEXT: line [[@LINE+1]]: side by side on lanes, where it finds these apart when it begins: 'to' and 'from'
  for (int i = 0; i < n; i++) to[i] = from[i] + 1;
}

// CHECK-NEXT: {{^}}prefix: its loops on a GPU
static void prefix(int* a, int n) {
  // CHECK-NEXT: line [[@LINE+1]]: one after the other: 'a[i - 1]' may be 'a[i]' of another iteration
  for (int i = 1; i < n; i++) a[i] = (a[i] + a[i - 1]) & 4095;
  // CHECK-NEXT: line [[@LINE+2]]: one after the other: an iteration uses what the one before left in 'before'
  int before = 1;
  for (int i = 0; i < n; i++) a[i] = before = (before * 3 + a[i]) & 1023;
}

// CHECK-NEXT: {{^}}turned: its loops on a GPU
static void turned(int* a, int n) {
  // CHECK-NEXT: line [[@LINE+1]]: side by side on lanes{{$}}
  for (int i = n - 1; i >= 0; i--) a[i] = (2 * a[i] - i) & 511;
  // CHECK-NEXT: line [[@LINE+1]]: side by side on lanes{{$}}
  for (int i = 0; i < n - 1; i += 2) { a[i] += a[i + 1]; a[i + 1] *= 3; }
  // CHECK-NEXT: line [[@LINE+1]]: side by side on lanes{{$}}
  for (int* p = a; p != a + n; ++p) *p ^= 5;
}

typedef struct { float x, y; int n[2]; } point;
// CHECK-NEXT: {{^}}points: its loops on a GPU
static void points(point* p, int n, int m) {
  int i;
  float s;
  // CHECK-NEXT: line [[@LINE+1]]: side by side on lanes{{$}}
  for (i = 0; i < n; ++i) {
    s = p[i].x;
    p[i].x = p[i].y;
    p[i].y = s + 1;
    if (i % 3 == 0) continue;
    p[i].n[1] = i;
  }
  p[0].x += i + s;  // what the loop leaves in them
  // CHECK-NEXT: line [[@LINE+1]]: side by side on lanes, where it finds these apart when it begins: parts of 'p'
  for (i = 0; i < n - m; i++) p[i + m] = p[i];
  p[n - 1].n[0] = i;
}

// CHECK-NEXT: {{^}}product: its loops on a GPU
static void product(double* a, double* b, double* c, int n, int row) {
  // CHECK-NEXT: line [[@LINE+1]]: eight at a time on each lane
  for (int i = 0; i < n; i++)
    // CHECK-NEXT: line [[@LINE+1]]: one after the other
    for (int k = 0; k < n; k++) {
      double x = a[i * row + k];
      double* to = c + (size_t)i * row;
      // CHECK-NEXT: line [[@LINE+1]]: side by side on lanes, where it finds these apart when it begins: 'to' and 'b'
      for (int j = 0; j < n; j++) to[j] += x * b[k * row + j];
    }
}

// CHECK-NEXT: {{^}}columns: its loops on a GPU
static void columns(double* a, int n, int row) {
  // CHECK-NEXT: line [[@LINE+1]]: side by side on lanes
  for (int j = 0; j < n; j++) {
    double sum = 0;
    // CHECK-NEXT: line [[@LINE+1]]: part of an iteration of the loop around it
    for (int i = 0; i < n; i++) a[i * row + j] = sum += a[i * row + j];
  }
}

// CHECK-NEXT: {{^}}triangle: its loops on a GPU
static void triangle(double** a, int n) {
  // CHECK-NEXT: line [[@LINE+1]]: one after the other
  for (int i = 1; i < n; i++) {
    double *above = a[i - 1], *row = a[i];
    // CHECK-NEXT: line [[@LINE+1]]: side by side on lanes
    for (int j = 0; j <= i; j++) row[j] = above[j] + (j > 0 ? above[j - 1] : 1) + j;
    row[0] = i;
  }
}

// CHECK-NEXT: {{^}}sums: its loops on a GPU
static long sums(const int* a, int n, double* ordered) {
  long sum = 5;
  unsigned bits = ~0u, odd = 1;
  short few = 0;
  // CHECK-NEXT: line [[@LINE+1]]: side by side on lanes{{$}}
  for (int i = 0; i < n; i++) {
    sum += a[i];
    if (a[i] & 1) odd ^= a[i];
    bits &= a[i] | 7;
    few--;
  }
  double total = 0;
  // CHECK-NEXT: line [[@LINE+1]]: one after the other: it adds floating-point numbers to 'total' in order
  for (int i = 0; i < n; i++) total += 1.0 / (a[i] * a[i] + 1);
  *ordered = total;
  return sum * 31 + bits % 1000 + odd + few;
}

// CHECK-NEXT: {{^}}find: its loops on a GPU
static int find(int* a, int n, int what) {
  // CHECK-NEXT: line [[@LINE+1]]: one after the other: a statement leaves it early
  for (int i = 0; i < n; i++) {
    a[i] ^= 1;
    if (a[i] == what) return i;
  }
  // CHECK-NEXT: line [[@LINE+1]]: side by side on lanes{{$}}
  for (int i = 0; i < n; i++) a[i] += 2;
  return -1;
}

// CHECK-NEXT: {{^}}scatter: its loops on a GPU
static void scatter(int* restrict a, const int* restrict where, int n) {
  // CHECK-NEXT: line [[@LINE+1]]: one after the other: where it stores 'a[where[i] % n]' is not known when it begins
  for (int i = 0; i < n; i++) a[where[i] % n] = i;
  // CHECK-NEXT: line [[@LINE+1]]: one after the other: each iteration stores 'a[0]'
  for (int i = 0; i < n; i++) a[0] = (a[0] * 7 + where[i]) & 255;
}

static int twice(int x) { return 2 * x; }
static int counted;
static void count(int by) { counted += by; }
// CHECK-NEXT: {{^}}calls: its loops on a GPU
static void calls(int* a, int n) {
  // CHECK-NEXT: line [[@LINE+1]]: side by side on lanes{{$}}
  for (int i = 0; i < n; i++) a[i] = twice(a[i]) & 255;
  // CHECK-NEXT: line [[@LINE+1]]: one after the other: each iteration stores 'counted'
  for (int i = 0; i < n; i++) count(a[i] & 1);
  counted++;
  if (counted > 3) prefix(a, n);
}

// CHECK-NEXT: {{^}}all: its loops on a GPU
int all(int* a, int* b, double* x, double** rows, point* p, int n) {
  if (n > leaf) {
    int left = cilk_spawn all(a, b, x, rows, p, n / 2);
    cilk_sync;  // one after the other: halves share the places at their border
    int right = all(a + n / 2, b + n / 2, x + n / 2, rows, p + n / 2, n - n / 2);
    return left * 7 + right;
  }
  int row = 5;
  for (int i = 0; i < 150; i++) x[i] = (i * 7 + n) % 13 - 4;
  scale(x + n, x, n, 1.5);
  shift(a, b, n);
  shift(b + 1, b, n - 1);  // overlap: one lane
  shift(b, b + 1, n - 1);
  prefix(a, n);
  turned(b, n);
  points(p, n, n / 2 + 1);
  points(p, n, 1);  // each iteration uses what the one before stores
  product(x, x + 25, x + 50, row, row);
  product(x, x + 3, x + 1, 3, 2);  // rows overlap
  columns(x, 9, 9);
  columns(x, 9, 4);
  triangle(rows, 12);
  for (int i = 0; i < n; i++) b[i] += i;
  scatter(a, b, n);
  calls(b, n);
  int sum = (int)sums(a, n, x + n);
  return sum + (int)(x[n] * 1000) + find(a, n, 77);
}

int main(void) {
  enum { n = 400 };
  int* a = malloc(2 * n * sizeof *a);
  int* b = malloc(2 * n * sizeof *b);
  double* x = malloc(4 * n * sizeof *x);
  point* p = calloc(2 * n, sizeof *p);
  double** rows = malloc(16 * sizeof *rows);
  for (int i = 0; i < 2 * n; i++) {
    a[i] = i * 37 % 101;
    b[i] = i * 53 % 89;
    p[i] = (point){i % 7, i % 11, {i, -i}};
  }
  for (int i = 0; i < 4 * n; i++) x[i] = i % 13 - 4;
  for (int i = 0; i < 16; i++) rows[i] = calloc(16, sizeof **rows);
  printf("%d %d\n", all(a, b, x, rows, p, n), counted);
  unsigned hash = 0;
  double sum = 0;
  for (int i = 0; i < 2 * n; i++) {
    hash = hash * 31 + (unsigned)a[i] + 7 * (unsigned)b[i] + (unsigned)(p[i].n[0] + 3 * p[i].n[1]);
    sum += p[i].x * (i % 5) + p[i].y + x[i] * (i % 3);
  }
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 16; j++) sum += rows[i][j] * (i + 2 * j);
  printf("%u %.17g\n", hash, sum);
  for (int i = 0; i < 16; i++) free(rows[i]);
  free(rows);
  free(p);
  free(x);
  free(b);
  free(a);
}
