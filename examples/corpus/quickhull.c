/* The convex hull of points in the plane by quickhull: the point farthest from a line is on the
 * hull, and parts those outside into the two sides of a triangle, which are done side by side. Long
 * lists are searched and filtered in parallel, by blocks. Coordinates are integers, so that it is
 * exact. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing.h"

#define BLOCK 512

typedef struct {
  int x, y;
} point;

static point* P;

/* Twice the area of the triangle; positive if c is left of the way from a to b. */
static inline long long area(int a, int b, int c) {
  return (long long)(P[b].x - P[a].x) * (P[c].y - P[a].y) -
         (long long)(P[b].y - P[a].y) * (P[c].x - P[a].x);
}

/* Of equally far points, that with the least number. */
static int farther(int a, int b, int l, int r) {
  if (a < 0) return b;
  if (b < 0) return a;
  long long da = area(l, r, a), db = area(l, r, b);
  if (da != db) return da > db ? a : b;
  return a < b ? a : b;
}

static int farthest(const int* list, int n, int l, int r) {
  if (n <= BLOCK) {
    int best = -1;
    for (int i = 0; i < n; i++) best = farther(best, list[i], l, r);
    return best;
  }
  int a = cilk_spawn farthest(list, n / 2, l, r);
  int b = farthest(list + n / 2, n - n / 2, l, r);
  cilk_sync;
  return farther(a, b, l, r);
}

/* Writes those left of the way from l to r, in their order, and returns how many they are. */
static int filter_block(const int* list, int n, int l, int r, int* out) {
  int k = 0;
  for (int i = 0; i < n; i++)
    if (area(l, r, list[i]) > 0) out[k++] = list[i];
  return k;
}

static int filter(const int* list, int n, int l, int r, int* out) {
  int blocks = (n + BLOCK - 1) / BLOCK;
  if (blocks <= 2) return filter_block(list, n, l, r, out);
  int* sizes = malloc((blocks + 1) * sizeof(int));
  int* kept = malloc(n * sizeof(int));
  int total = 0;
  cilk_for (int b = 0; b < blocks; b++) {
    int from = b * BLOCK, size = n - from < BLOCK ? n - from : BLOCK;
    sizes[b] = filter_block(list + from, size, l, r, kept + from);
  }
  for (int b = 0; b < blocks; b++) {
    int size = sizes[b];
    sizes[b] = total;
    total += size;
  }
  sizes[blocks] = total;
  cilk_for (int b = 0; b < blocks; b++) {
    memcpy(out + sizes[b], kept + b * BLOCK, (sizes[b + 1] - sizes[b]) * sizeof(int));
  }
  free(kept);
  free(sizes);
  return total;
}

/* The hull between l and r, without both, of the n points of the list, which are left of the way
 * from l to r. It goes to hull, which has room for n; scratch has room for 2n. */
static int quickhull(const int* list, int n, int l, int r, int* hull, int* scratch) {
  if (n == 0) return 0;
  int top = farthest(list, n, l, r);
  int *left = scratch, *right = scratch + n, nleft, nright;
  nleft = cilk_spawn filter(list, n, l, top, left);
  nright = filter(list, n, top, r, right);
  cilk_sync;
  /* The lists have room behind them: n points are at most left, right and the top. */
  int* below = malloc((size_t)(2 * (nleft + nright) + 1) * sizeof(int));
  int *first = malloc((size_t)(nleft + 1) * sizeof(int)), *second = hull, k, m;
  k = cilk_spawn quickhull(left, nleft, l, top, first, below);
  m = quickhull(right, nright, top, r, second, below + 2 * nleft);
  cilk_sync;
  memmove(hull + k + 1, second, m * sizeof(int));
  memcpy(hull, first, k * sizeof(int));
  hull[k] = top;
  free(first);
  free(below);
  return k + 1 + m;
}

static int convex_hull(int n, int* hull) {
  int *all = malloc(n * sizeof(int)), *up = malloc(n * sizeof(int)),
      *down = malloc(n * sizeof(int));
  int *scratch = malloc((size_t)4 * n * sizeof(int)), *other = malloc(n * sizeof(int));
  int l = 0, r = 0, nup, ndown, a, b;
  for (int i = 0; i < n; i++) {
    all[i] = i;
    if (P[i].x < P[l].x || (P[i].x == P[l].x && P[i].y < P[l].y)) l = i;
    if (P[i].x > P[r].x || (P[i].x == P[r].x && P[i].y > P[r].y)) r = i;
  }
  nup = cilk_spawn filter(all, n, l, r, up);
  ndown = filter(all, n, r, l, down);
  cilk_sync;
  a = cilk_spawn quickhull(up, nup, l, r, hull + 1, scratch);
  b = quickhull(down, ndown, r, l, other, scratch + 2 * n);
  cilk_sync;
  hull[0] = l;
  hull[a + 1] = r;
  memcpy(hull + a + 2, other, b * sizeof(int));
  free(all);
  free(up);
  free(down);
  free(scratch);
  free(other);
  return a + b + 2;
}

/* In a disk: about the cube root of them is on the hull. */
static void make_points(int n) {
  unsigned seed = 5;
  for (int i = 0; i < n; i++) {
    long long x, y;
    do {
      seed = seed * 1664525u + 1013904223u;
      x = (int)(seed >> 12) - (1 << 19);
      seed = seed * 1664525u + 1013904223u;
      y = (int)(seed >> 12) - (1 << 19);
    } while (x * x + y * y > 1LL << 38);
    P[i].x = (int)x;
    P[i].y = (int)y;
  }
}

/* Each point of the hull is a bend to the right, and no point is outside. */
static int check(const int* hull, int k, int n) {
  for (int i = 0; i < k; i++) {
    int a = hull[i], b = hull[(i + 1) % k], c = hull[(i + 2) % k];
    if (k > 2 && area(a, b, c) >= 0) return 0;
    for (int j = i % 7; j < n; j += 7)
      if (area(a, b, j) > 0) return 0;
  }
  return 1;
}

int main(int argc, char** argv) {
  int n = 20000, k, good, *hull;
  unsigned long long hash = 0;
  long long twice = 0;

  argc = timing_option(argc, argv);
  if (argc > 1) n = atoi(argv[1]);
  if (n < 3) {
    fprintf(stderr, "Usage: quickhull [-t] [<points>]\n");
    return 1;
  }
  P = malloc(n * sizeof(point));
  hull = malloc((n + 2) * sizeof(int));
  make_points(n);

  timing_begin();
  k = convex_hull(n, hull);
  timing_end();

  for (int i = 0; i < k; i++) {
    hash = hash * 1099511628211u + hull[i];
    twice += area(hull[0], hull[i], hull[(i + 1) % k]);
  }
  good = check(hull, k, n);
  printf("quickhull of %d: %d on the hull, twice the area %lld, hash %016llx, %s\n", n, k, -twice,
         hash, good ? "convex" : "WRONG");
  free(P);
  free(hull);
  return good ? 0 : 1;
}
