/* Cholesky factorisation of a sparse matrix along its elimination tree, by fronts: a column's front
 * is what its row of the matrix and its children's updates add to, and leaves an update for its
 * parent. Subtrees are factored side by side; a parent adds its children's updates in their order.
 * The matrix is that of a grid of five-point stars, numbered by nested dissection. */
#include <cilk/cilk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing.h"

/* The lower triangle by columns, the diagonal first, rows in order. */
typedef struct {
  int n;
  int *p, *i;
  double* x;
} sparse;

/* A dense lower triangle by columns over some rows of the matrix. */
typedef struct front {
  int size;
  int* rows;
  double* a; /* a[r + c * size] */
} front;

static sparse A;
static int *first_child, *next_sibling; /* of the elimination tree; -1: none */
static front* L;                        /* of each column, with its diagonal */

/* Numbers the rectangle from high to low: the line that separates it, then its halves. */
static int dissect(int* number, int side, int x, int y, int w, int h, int last) {
  if (w <= 0 || h <= 0) return last;
  if (w <= 2 && h <= 2) {
    for (int j = y; j < y + h; j++)
      for (int i = x; i < x + w; i++) number[i + j * side] = last--;
    return last;
  }
  if (w >= h) {
    int m = x + w / 2;
    for (int j = y; j < y + h; j++) number[m + j * side] = last--;
    last = dissect(number, side, x, y, m - x, h, last);
    return dissect(number, side, m + 1, y, x + w - m - 1, h, last);
  }
  int m = y + h / 2;
  for (int i = x; i < x + w; i++) number[i + m * side] = last--;
  last = dissect(number, side, x, y, w, m - y, last);
  return dissect(number, side, x, m + 1, w, y + h - m - 1, last);
}

static void make_matrix(int side) {
  int n = side * side, *number = malloc(n * sizeof(int)), *place = malloc(n * sizeof(int)), k = 0;
  static const int dx[4] = {1, -1, 0, 0}, dy[4] = {0, 0, 1, -1};
  dissect(number, side, 0, 0, side, side, n - 1);
  for (int v = 0; v < n; v++) place[number[v]] = v;
  A.n = n;
  A.p = malloc((n + 1) * sizeof(int));
  A.i = malloc(5 * n * sizeof(int));
  A.x = malloc(5 * n * sizeof(double));
  for (int c = 0; c < n; c++) {
    int x = place[c] % side, y = place[c] / side;
    A.p[c] = k;
    A.i[k] = c;
    A.x[k++] = 4.01 + c % 3 * 0.25;
    for (int d = 0; d < 4; d++) {
      int i = x + dx[d], j = y + dy[d], r, e;
      if (i < 0 || j < 0 || i >= side || j >= side) continue;
      r = number[i + j * side];
      if (r <= c) continue;
      for (e = k; A.i[e - 1] > r; e--) {
        A.i[e] = A.i[e - 1];
        A.x[e] = A.x[e - 1];
      }
      A.i[e] = r;
      A.x[e] = -1 + (r + c) % 5 * 0.05;
      k++;
    }
  }
  A.p[n] = k;
  free(number);
  free(place);
}

/* Liu's algorithm, with compressed paths. It wants the rows of the lower triangle. */
static void elimination_tree(void) {
  int n = A.n, *parent = malloc(n * sizeof(int)), *ancestor = malloc(n * sizeof(int));
  int *begin = calloc(n + 1, sizeof(int)), *column = malloc(A.p[n] * sizeof(int));
  first_child = malloc(n * sizeof(int));
  next_sibling = malloc(n * sizeof(int));
  for (int e = 0; e < A.p[n]; e++) begin[A.i[e]]++;
  for (int r = 0, sum = 0; r <= n; r++) {
    int k = begin[r];
    begin[r] = sum;
    sum += k;
  }
  for (int c = 0; c < n; c++)
    for (int e = A.p[c]; e < A.p[c + 1]; e++) column[begin[A.i[e]]++] = c;
  for (int r = 0, e = 0; r < n; r++) {
    parent[r] = ancestor[r] = first_child[r] = -1;
    for (; e < begin[r]; e++)
      for (int c = column[e], next; c != -1 && c < r; c = next) {
        next = ancestor[c];
        ancestor[c] = r;
        if (next == -1) parent[c] = r;
      }
  }
  for (int c = n - 1; c >= 0; c--)
    if (parent[c] != -1) {
      next_sibling[c] = first_child[parent[c]];
      first_child[parent[c]] = c;
    }
  free(parent);
  free(ancestor);
  free(begin);
  free(column);
}

/* Merges the second list of rows into the first. */
static int merge(int* rows, int n, const int* other, int m, int* spare) {
  int i = 0, j = 0, k = 0;
  while (i < n || j < m) {
    if (j == m || (i < n && rows[i] < other[j])) {
      spare[k++] = rows[i++];
    } else {
      if (i < n && rows[i] == other[j]) i++;
      spare[k++] = other[j++];
    }
  }
  memcpy(rows, spare, k * sizeof(int));
  return k;
}

static void add(front* to, const front* from) {
  for (int c = 0, tc = 0; c < from->size; c++) {
    while (to->rows[tc] != from->rows[c]) tc++;
    for (int r = c, tr = tc; r < from->size; r++) {
      while (to->rows[tr] != from->rows[r]) tr++;
      to->a[tr + tc * to->size] += from->a[r + c * from->size];
    }
  }
}

/* One step of elimination: the first column goes to L, what it changes is left. */
static front eliminate(front* f, front* l) {
  int n = f->size;
  front update = {n - 1, NULL, NULL};
  double d = sqrt(f->a[0]);
  l->size = n;
  l->rows = f->rows;
  l->a = malloc(n * sizeof(double));
  l->a[0] = d;
  for (int r = 1; r < n; r++) l->a[r] = f->a[r] / d;
  update.rows = l->rows + 1;
  update.a = malloc((n - 1) * (n - 1) * sizeof(double) + 1);
  for (int c = 1; c < n; c++)
    for (int r = c; r < n; r++)
      update.a[r - 1 + (c - 1) * (n - 1)] = f->a[r + c * n] - l->a[r] * l->a[c];
  free(f->a);
  return update;
}

/* Factors the columns of the tree below c, and c; returns c's update. */
static front factor(int c) {
  front children[8], f;
  int k = 0, most = A.p[c + 1] - A.p[c], *spare;
  for (int child = first_child[c]; child != -1; child = next_sibling[child])
    children[k++] = cilk_spawn factor(child);
  cilk_sync;
  for (int i = 0; i < k; i++) most += children[i].size;
  f.rows = malloc(most * sizeof(int));
  spare = malloc(most * sizeof(int));
  f.size = A.p[c + 1] - A.p[c];
  memcpy(f.rows, A.i + A.p[c], f.size * sizeof(int));
  for (int i = 0; i < k; i++)
    f.size = merge(f.rows, f.size, children[i].rows, children[i].size, spare);
  free(spare);
  f.a = calloc((size_t)f.size * f.size, sizeof(double));
  for (int e = A.p[c], r = 0; e < A.p[c + 1]; e++) {
    while (f.rows[r] != A.i[e]) r++;
    f.a[r] = A.x[e];
  }
  for (int i = 0; i < k; i++) {
    add(&f, &children[i]);
    free(children[i].a);
  }
  return eliminate(&f, &L[c]);
}

/* Solves L * L^T * x = b; b becomes x. */
static void solve(double* b) {
  for (int c = 0; c < A.n; c++) {
    b[c] /= L[c].a[0];
    for (int r = 1; r < L[c].size; r++) b[L[c].rows[r]] -= L[c].a[r] * b[c];
  }
  for (int c = A.n - 1; c >= 0; c--) {
    for (int r = 1; r < L[c].size; r++) b[c] -= L[c].a[r] * b[L[c].rows[r]];
    b[c] /= L[c].a[0];
  }
}

int main(int argc, char** argv) {
  int side = 24, good;
  long nonzeros = 0;
  double *b, *x, sum = 0, off = 0;
  front last;

  argc = timing_option(argc, argv);
  if (argc > 1) side = atoi(argv[1]);
  if (side < 1) {
    fprintf(stderr, "Usage: etree [-t] [<side of the grid>]\n");
    return 1;
  }
  make_matrix(side);
  L = calloc(A.n, sizeof(front));

  timing_begin();
  elimination_tree();
  last = factor(A.n - 1);
  timing_end();
  free(last.a);

  x = malloc(A.n * sizeof(double));
  b = calloc(A.n, sizeof(double));
  for (int c = 0; c < A.n; c++) x[c] = 1 + c % 7;
  solve(x);
  for (int c = 0; c < A.n; c++)
    for (int e = A.p[c]; e < A.p[c + 1]; e++) {
      b[A.i[e]] += A.x[e] * x[c];
      if (A.i[e] != c) b[c] += A.x[e] * x[A.i[e]];
    }
  for (int c = 0; c < A.n; c++) {
    nonzeros += L[c].size;
    sum += L[c].a[0];
    if (fabs(b[c] - 1 - c % 7) > off) off = fabs(b[c] - 1 - c % 7);
    free(L[c].rows);
    free(L[c].a);
  }
  good = off < 1e-9;
  printf("etree of %d x %d: %ld nonzeros became %ld, diagonal %.9f, %s\n", side, side,
         (long)A.p[A.n], nonzeros, sum, good ? "solved" : "WRONG");
  free(A.p);
  free(A.i);
  free(A.x);
  free(first_child);
  free(next_sibling);
  free(L);
  free(x);
  free(b);
  return good ? 0 : 1;
}
