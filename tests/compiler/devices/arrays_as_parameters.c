// Arrays of variable length as parameters: elements, rows and whole arrays that are passed on, in
// recursion, loops and functions without spawns; local pointers to rows; sizes that are expressions
// or change behind the entry; three dimensions; what sizeof says.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan -w --explain --device=emulated --emit=tasks %s -o %t.explained 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks: 12 of 12 functions
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A leaf.
static long cell(int h, int w, const int g[static h][w], int y, int x) {
  return g[(y + h) % h][(x + w) % w];
}
// One that calls it, with an array of a type that does not vary.
static long corners(const int fixed[4][5]) {
  return cell(4, 5, fixed, 0, 0) + cell(4, 5, fixed, 3, 4) * 2;
}
static void step(int h, int w, int a[h][w], int b[h][w]) {
  cilk_for(int y = 0; y < h; y++) for (int x = 0; x < w; x++) b[y][x] =
      (int)((cell(h, w, (const int(*)[w])a, y - 1, x) * 3 + a[y][x]) % 1000);
}
// Divide and conquer, by a local pointer to rows.
static void fill(int h, int w, int g[h][w], int from) {
  if (h == 1) {
    for (int x = 0; x < w; x++) (*g)[x] = from * 7 + x;
    return;
  }
  int(*below)[w] = g + h / 2;
  cilk_spawn fill(h / 2, w, g, from);
  fill(h - h / 2, w, below, from + h / 2);
  cilk_sync;
}
static long row(const int* of, int w) {
  long s = 0;
  for (int i = 0; i < w; i++) s = s * 3 + of[i];
  return s % 1000003;
}
// Rows as pointers; the size changes behind the entry.
static long rows(int h, int w, int g[h][w]) {
  long s[h];
  int n = w;
  w = -1;
  for (int y = 0; y < h; y++) s[y] = cilk_spawn row(g[y], n);
  cilk_sync;
  long all = 0;
  for (int y = 0; y < h; y++) all = all * 5 + s[y] % 97;
  return all % 1000003 + row(*g, n) + row(&g[1][0], n) + w;
}
// Sizes that are expressions; three dimensions.
static long solid(int n, short a[n * 2][n + 1][3], int at) {
  if (at >= 2 * n) return 0;
  long here = 0;
  for (int j = 0; j <= n; j++)
    for (int k = 0; k < 3; k++) here += a[at][j][k] * (j + k + 1);
  long rest = cilk_spawn solid(n, a, at + 1);
  cilk_sync;
  return here + rest + (long)sizeof a[at] + (long)sizeof *a[0] + (long)sizeof a[0][0][0];
}
static long cube(int n, int m, int a[n][m][n], int lo, int hi) {
  if (hi - lo == 1) {
    long s = 0;
    int(*plane)[n] = a[lo];
    for (int j = 0; j < m; j++)
      for (int k = 0; k < n; k++) s += plane[j][k] * (k + 1) - a[lo][j][k] + (*(a + lo))[j][k];
    return s + (long)sizeof plane[0] + (long)sizeof *plane + (long)sizeof(int[n][m]);
  }
  int mid = (lo + hi) / 2;
  long x = cilk_spawn cube(n, m, a, lo, mid), y = cube(n, m, &a[0], mid, hi);
  cilk_sync;
  return x + y;
}
// Pointers that walk.
static long walk(int h, int w, int g[h][w]) {
  int(*p)[w] = g, (*end)[w] = &g[h];
  long s = 0, n = 0;
  while (p != end) {
    s += cilk_spawn row(*p, w);
    cilk_sync;
    int(*before)[w] = p++;
    n += before - g;
  }
  p -= 2;
  s += (*p)[1];
  s += (*--p)[2];
  s += p[1][0] + (end - p);
  s += (*p++)[0];
  ++p;
  p += 1;
  s += (p == end) + (end > g) + (long)((char*)end - (char*)g);
  return s * 10 + n;
}
static int sum_of(int n, int k, int t[n][k]) {
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < k; j++) s = (s * 3 + t[i][j]) % 10007;
  return s;
}
// A local array as a whole, and one from malloc.
static long tri(int n) {
  if (n < 2) return n;
  int t[n][n], u[n];
  memset(t, 0, sizeof t);
  memset(u, 0, sizeof u);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) t[i][j] = i * j + 1, u[j] += i;
  long a = cilk_spawn tri(n - 1);
  long b = cilk_spawn tri(n - 2);
  int c = sum_of(n, n, t);
  int(*m)[n] = malloc(sizeof(int[2][n]));
  for (int j = 0; j < n; j++) m[0][j] = u[j], m[1][j] = t[n - 1][j];
  cilk_sync;
  c += sum_of(2, n, m) + (int)(sizeof *m / sizeof **m);
  free(m);
  return (a + b * 2 + c) % 10007;
}
typedef struct {
  int h, w;
  double* data;
} grid;
static double total(const grid* of) {
  const double(*g)[of->w] = (const double(*)[of->w])of->data;
  double s = 0;
  for (int i = 0; i < of->h; i++)
    for (int j = 0; j < of->w; j++) s += g[i][j];
  return s;
}
static double halves(grid of) {
  if (of.h < 3) return total(&of);
  typedef double line[of.w];
  line* all = (line*)of.data;
  grid top = {of.h / 2, of.w, all[0]}, low = {of.h - of.h / 2, of.w, all[of.h / 2]};
  double a = cilk_spawn halves(top), b = cilk_spawn halves(low);
  cilk_sync;
  return a + b;
}
static void nested(int h, int w, int a[h][w]) {
  cilk_for(int y = 0; y < h; y++) {
    int(*me)[w] = &a[y];
    cilk_for(int x = 0; x < w; x++)(*me)[x] += a[y][x] + (int)sizeof *me;
  }
}

// Functions without spawns as children, and in expressions beside those with spawns.
static int sum(int w, int g[][w], int y) {
  int s = 0;
  for (int x = 0; x < w; x++) s += g[y][x];
  return s;
}
static void clear(int h, int w, int g[h][w]) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) g[y][x] = x * y;
}
static int add(int a, int b) {
  if (a < 3) return a + b;
  int x = cilk_spawn add(a - 1, b);
  int y = add(a - 2, b);
  cilk_sync;
  return x + y;
}
static int both(int h, int w, int g[h][w], int k[h][w]) {
  cilk_spawn clear(h, w, g);
  clear(h, w, k);
  cilk_sync;
  int parts[h];
  for (int y = 0; y < h; y++) parts[y] = cilk_spawn sum(w, y % 2 ? g : k, y);
  cilk_sync;
  int all = 0;
  for (int y = 0; y < h; y++)
    all += parts[y] * sum(w, g, add(y, 1) % h) + add(sum(w, k, 1), y) + sum(w, g, sum(w, k, 0));
  all += cilk_spawn sum(w, g + 1, 0);
  cilk_sync;
  return all;
}

int main(void) {
  int h = 13, w = 7;
  int(*a)[w] = malloc(sizeof(int[h][w])), (*b)[w] = malloc(sizeof *b * h);
  fill(h, w, a, 1);
  step(h, w, a, b);
  step(h, w, b, a);
  nested(h, w, b);
  printf("%ld %ld %ld\n", rows(h, w, a), walk(h, w, b), (long)a[3][4]);
  short s[8][5][3];
  for (int i = 0; i < 8 * 5 * 3; i++) (&s[0][0][0])[i] = (short)(i * 5 % 37);
  printf("%ld\n", solid(4, s, 0));
  int c[6][5][6];
  for (int i = 0; i < 180; i++) (&c[0][0][0])[i] = i * 7 % 31;
  printf("%ld\n", cube(6, 5, c, 0, 6));
  int fixed[4][5];
  for (int i = 0; i < 20; i++) (&fixed[0][0])[i] = i * i;
  long sums[4];
  cilk_for(int i = 0; i < 4; i++) sums[i] = corners(fixed) + cell(4, 5, fixed, i, i);
  printf("%ld %ld\n", sums[0], sums[3]);
  printf("%ld\n", tri(14));
  double d[40];
  for (int i = 0; i < 40; i++) d[i] = i * 0.5;
  printf("%g\n", halves((grid){8, 5, d}));
  int p[4][3], q[4][3];
  printf("%d\n", both(4, 3, p, q));
  free(a);
  free(b);
}
