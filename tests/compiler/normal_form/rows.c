// Pointers to arrays of variable length: with names that inner blocks hide, of structures and
// pointers, with sizes of all types, in casts and conditions, in types that have a name, arrays of
// them, results of spawns in their elements, whole local arrays.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan -w --explain --device=emulated --emit=tasks %s -o %t.explained 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks: 20 of 20 functions
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct {
  int x;
  double y;
} pair;
static long leaf_(const int* p, int n) {
  long s = 0;
  for (int i = 0; i < n; i++) s += p[i] * (i + 1);
  return s;
}
static long shadow(int h, int w, int g[h][w], int lo, int hi) {
  if (hi - lo == 1) {
    long s = 0;
    {
      int w = 2;
      int h = 1;
      s += g[lo][w] + g[lo][h];
    }
    for (int w = 0; w < 3; w++) s += g[lo][w];
    return s;
  }
  int m = (lo + hi) / 2;
  long a = cilk_spawn shadow(h, w, g, lo, m);
  long b = shadow(h, w, g, m, hi);
  cilk_sync;
  return a * 3 + b;
}
static long structs(int h, int w, pair g[h][w], int y) {
  if (y == h) return 0;
  long a = cilk_spawn structs(h, w, g, y + 1);
  for (int x = 0; x < w; x++) {
    g[y][x].x += x;
    g[y][x].y *= 2;
    (&g[y][x])->x++;
  }
  cilk_sync;
  long s = a;
  for (int x = 0; x < w; x++) s += g[y][x].x * 3 + (long)g[y][x].y;
  return s;
}
static long pointers(int h, int w, int* g[h][w], int y) {
  if (y == h) return 0;
  long a = cilk_spawn pointers(h, w, g, y + 1);
  long s = 0;
  for (int x = 0; x < w; x++) s += *g[y][x] + g[y][x][0] + **g[y];
  cilk_sync;
  return s + a;
}
static long unsigneds(size_t h, unsigned char w, int g[h][w], unsigned y) {
  if (y == h) return 0;
  long a = cilk_spawn unsigneds(h, w, g, y + 1);
  long s = 0;
  for (size_t x = 0; x < w; x++)
    s += g[y][x] + y[g][x] + x[g[y]] + (g + 1)[(int)y - 1][x] + *(x + *(y + g));
  cilk_sync;
  return s + a;
}
static int global_width;
static long globals(int h, int g[h][global_width], int y) {
  if (y == h) return 0;
  int own = global_width;
  long s = 0;
  for (int x = 0; x < own; x++) s += g[y][x] ^ x;
  long a = cilk_spawn globals(h, g, y + 1);
  cilk_sync;
  return s + a + (long)sizeof *g;
}
struct dims {
  int h, w;
};
static long dims_(const struct dims* d, int g[d->h][d->w], int y) {
  if (y == d->h) return 0;
  long a = cilk_spawn dims_(d, g, y + 1);
  cilk_sync;
  return a * 2 + g[y][d->w - 1];
}
static int* pick(int w, int g[][w], int i) { return g[i]; }
static long choose(int h, int w, int g[h][w], int k[h][w], int y) {
  if (y == h) return 0;
  long a = cilk_spawn choose(h, w, g, k, y + 1);
  int(*which)[w] = y % 2 ? g : k;
  int(*rows[2])[w] = {g, k};
  int(**pp)[w] = &which;
  long s = which[y][0] + (y % 3 ? g : k)[y][1] + (*pp)[y][2] + rows[y % 2][y][3] +
           ((void)0, rows[1])[y][1];
  *pp = rows[1];
  s += which[y][1] + pick(w, which, y)[2] + (*(rows + 1))[y][0];
  which = NULL;
  if (!which && which == 0) s++;
  if ((which = g) != k && leaf_(which[y], w) > 3) s += leaf_(pick(w, g, y), w);
  cilk_sync;
  return a + s;
}
static long cast(void* data, int n, int w, int y) {
  if (y == n) return 0;
  long a = cilk_spawn cast(data, n, w, y + 1);
  cilk_sync;
  return a + ((int(*)[w])data)[y][w - 1] + (*(int(*)[n][w])data)[y][0] +
         (long)sizeof *(int(*)[w])data;
}
static int clean(int h, int w, int g[h][w], int y) { return g[y][0] % 2; }
static long conditions(int h, int w, int g[h][w], int n) {
  if (n == 0) return 0;
  long a = cilk_spawn conditions(h, w, g, n - 1);
  long s = 0;
  int i = 0;
  for (i = 0; i < h && !clean(h, w, g, i); i += 1 + clean(h, w, g, i)) s++;
  do {
    if (i == 1) continue;
    s += i;
  } while (i-- > 0 && (clean(h, w, g, i > 0 ? i : 0) || i > 2));
  s += clean(h, w, g, 1) ? clean(h, w, g, 2) ?: 5 : 7;
  switch (clean(h, w, g, 0)) {
    case 0: s += 3; break;
    default: s += 9;
  }
  cilk_sync;
  return a + s;
}
static long whole(int n) {
  if (n < 2) return n;
  int t[n][n + 1], inner[n][3];
  cilk_spawn memset(t, 1, sizeof t);
  cilk_sync;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 3; j++) inner[i][j] = i * j;
  long a = cilk_spawn shadow(n, n + 1, t, 0, n > 2 ? 1 : 1);
  long b = cilk_spawn whole(n - 1);
  long s = leaf_(inner[n - 1], 3) + inner[n / 2][1] + (long)sizeof inner + (long)sizeof t[0] +
           (long)(&t[1] - t) + (long)((char*)(&t + 1) - (char*)t);
  cilk_sync;
  typeof(t[0])* q = t;
  __auto_type r = q + 1;
  n = 1;
  return a % 1009 + b + s + r[0][1] % 7 + (long)sizeof *r + (long)sizeof *q;
}
typedef int word;
static long names(int n, int w, int g[n][w], int y) {
  if (y == n) return 0;
  typedef word line[w];
  const line* p = g;
  int old = w;
  w = 3;
  line extra;
  for (int i = 0; i < old; i++) extra[i] = i;
  long a = cilk_spawn names(n, old, g, y + 1);
  cilk_sync;
  return a + p[y][old - 1] + (long)sizeof(line) + extra[old - 1] + (long)sizeof extra;
}
static void inout(int h, int w, int (*restrict const a)[w], int b[restrict static h][w]) {
  cilk_for(int i = 0; i < h; i++) {
    memcpy(b[i], a[i], sizeof a[i]);
    memcpy(&b[i], a + i, sizeof *a);
  }
}
static void first(void) {
  enum { H = 6, W = 5 };
  int h = H, w = W;
  int g[H][W], k[H][W];
  for (int i = 0; i < H; i++)
    for (int j = 0; j < W; j++) g[i][j] = i * 10 + j * j, k[i][j] = i - j;
  printf("%ld\n", shadow(h, w, g, 0, h));
  pair ps[H][W];
  int* is[H][W];
  for (int i = 0; i < H; i++)
    for (int j = 0; j < W; j++) ps[i][j] = (pair){i, j}, is[i][j] = &g[H - 1 - i][j];
  printf("%ld %ld\n", structs(h, w, ps, 0), pointers(h, w, is, 0));
  printf("%ld\n", unsigneds(H, W, g, 0));
  global_width = W;
  struct dims d = {H, W};
  printf("%ld %ld\n", globals(h, g, 0), dims_(&d, g, 0));
  printf("%ld\n", choose(h, w, g, k, 0));
  printf("%ld\n", cast(g, h, w, 0));
  printf("%ld\n", conditions(h, w, g, 5));
  printf("%ld\n", whole(9));
  printf("%ld\n", names(h, w, g, 0));
  inout(h, w, g, k);
  printf("%d\n", memcmp(g, k, sizeof g));
}
static int twice(int x) {
  if (x > 3) {
    int a = cilk_spawn twice(x - 3);
    int b = twice(x / 2);
    cilk_sync;
    return a + b;
  }
  return x * 2;
}
// results of spawns in elements
static void places(int h, int w, int g[h][w], long s[h], int t[2][w]) {
  for (int y = 0; y < h; y++) {
    int x = 0;
    while (x < w) {
      g[y][x] = cilk_spawn twice(x + y);
      x++;
    };
    s[y] = 0;
    t[y % 2][0] += cilk_spawn twice(y);
    cilk_sync;
    (*(g + y))[1] += twice(2) + g[y][0];
    g[y][twice(1)] -= twice(g[y][0] % 5);
    for (int i = 0; i < w; i++) __atomic_fetch_add(&s[y], g[y][i], __ATOMIC_RELAXED);
  }
}
static int first_(int n, const int a[n]) { return a[0] + a[n - 1]; }
static int oned(int n, int a[n]) {
  if (n < 2) return first_(n, a);
  int x = cilk_spawn oned(n / 2, a);
  int y = cilk_spawn oned(n - n / 2, a + n / 2);
  cilk_sync;
  return x + y * 2;
}
static long arrays(int n, int m) {
  if (n < 2) return m;
  int t[n][m][3];
  int(*rows[n])[m];
  int base[n][m];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      for (int k = 0; k < 3; k++) t[i][j][k] = i + j * k;
      base[i][j] = i * j;
    }
  for (int i = 0; i < n; i++) rows[i] = &base[n - 1 - i];
  long a = cilk_spawn arrays(n - 1, m);
  int u = cilk_spawn twice(t[n - 1][m - 1][2]);
  cilk_sync;
  long s = 0;
  for (int i = 0; i < n; i++) s += (*rows[i])[m - 1] + rows[i][0][1];
  int(*plane)[m][3] = t;
  int(*line)[3] = t[1];
  plane++;
  line += 2;
  return a + u + s + plane[0][1][2] + line[0][1] + (line - t[1]) + (long)sizeof *plane +
         (long)sizeof *line + (long)sizeof rows;
}
static long scopes(int h, int w, int g[h][w]) {
  long s = 0;
  for (int n = 1; n < 4; n++) {
    int t[n][n * w];
    int(*p)[n * w] = t;
    for (int i = 0; i < n * n * w; i++) t[i / (n * w)][i % (n * w)] = i;
    int u = cilk_spawn twice(p[n - 1][w - 1]);
    cilk_sync;
    s = s * 7 + u + sizeof *p + (n > 1 ? p[1][0] : g[0][0]);
  }
  return s;
}
static long even(int h, int w, int g[h][w]);
static long odd(int h, int w, int g[h][w]) {
  if (h == 1) return 1;
  long a = cilk_spawn even(h - 1, w, h > 1 ? g + 1 : g);
  cilk_sync;
  return a * 3 + g[0][w - 1];
}
static long even(int h, int w, int g[h][w]) {
  if (h == 1) return 2;
  long a = cilk_spawn odd(h - 1, w, &g[1]);
  cilk_sync;
  return a * 2 + (*g)[0];
}
int main(void) {
  first();

  int h = 6, w = 5;
  int g[6][5], t[2][5] = {0};
  long s[6];
  places(h, w, g, s, t);
  for (int i = 0; i < 6; i++) printf("%ld ", s[i]);
  printf("%d %d\n", t[0][0], t[1][0]);
  printf("%d %ld %ld %ld\n", oned(30, &g[0][0]), arrays(5, 4), scopes(h, w, g), even(h, w, g));
}
