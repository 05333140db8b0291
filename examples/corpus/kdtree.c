/* A k-d tree, made by parallel recursion around medians, and the nearest neighbours of many points
 * looked up in it in a parallel loop. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing.h"

#define MAX_DIM 3
#define SERIAL 200

struct kd_node_t {
  double x[MAX_DIM];
  int id;
  struct kd_node_t *left, *right;
};

static inline double dist(const struct kd_node_t* a, const struct kd_node_t* b, int dim) {
  double t, d = 0;
  while (dim--) {
    t = a->x[dim] - b->x[dim];
    d += t * t;
  }
  return d;
}

static inline void swap(struct kd_node_t* x, struct kd_node_t* y) {
  double tmp[MAX_DIM];
  int id = x->id;
  memcpy(tmp, x->x, sizeof(tmp));
  memcpy(x->x, y->x, sizeof(tmp));
  memcpy(y->x, tmp, sizeof(tmp));
  x->id = y->id;
  y->id = id;
}

/* Quickselect. */
static struct kd_node_t* find_median(struct kd_node_t* start, struct kd_node_t* end, int idx) {
  if (end <= start) return NULL;
  if (end == start + 1) return start;

  struct kd_node_t *p, *store, *md = start + (end - start) / 2;
  double pivot;
  while (1) {
    pivot = md->x[idx];

    swap(md, end - 1);
    for (store = p = start; p < end; p++) {
      if (p->x[idx] < pivot) {
        if (p != store) swap(p, store);
        store++;
      }
    }
    swap(store, end - 1);

    /* the median has duplicate values */
    if (store->x[idx] == md->x[idx]) return md;

    if (store > md)
      end = store;
    else
      start = store;
  }
}

static struct kd_node_t* make_tree(struct kd_node_t* t, int len, int i, int dim) {
  struct kd_node_t* n;

  if (!len) return NULL;

  if ((n = find_median(t, t + len, i))) {
    i = (i + 1) % dim;
    if (len > SERIAL) {
      n->left = cilk_spawn make_tree(t, n - t, i, dim);
      n->right = make_tree(n + 1, t + len - (n + 1), i, dim);
      cilk_sync;
    } else {
      n->left = make_tree(t, n - t, i, dim);
      n->right = make_tree(n + 1, t + len - (n + 1), i, dim);
    }
  }
  return n;
}

static void nearest(struct kd_node_t* root, struct kd_node_t* nd, int i, int dim,
                    struct kd_node_t** best, double* best_dist, int* visited) {
  double d, dx, dx2;

  if (!root) return;
  d = dist(root, nd, dim);
  dx = root->x[i] - nd->x[i];
  dx2 = dx * dx;

  ++*visited;

  if (!*best || d < *best_dist || (d == *best_dist && root->id < (*best)->id)) {
    *best_dist = d;
    *best = root;
  }

  if (++i >= dim) i = 0;

  nearest(dx > 0 ? root->left : root->right, nd, i, dim, best, best_dist, visited);
  if (dx2 > *best_dist) return;
  nearest(dx > 0 ? root->right : root->left, nd, i, dim, best, best_dist, visited);
}

static double random_unit(void) {
  static unsigned seed = 42;
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) / 16777216.0;
}

static int depth(const struct kd_node_t* t) {
  int l, r;
  if (!t) return 0;
  l = depth(t->left);
  r = depth(t->right);
  return 1 + (l > r ? l : r);
}

int main(int argc, char** argv) {
  int n = 2000, queries = 500, dim = MAX_DIM, i, good = 1;
  struct kd_node_t *points, *wanted, *root;
  int *found, *visited;
  double *far, sum = 0;
  long looked = 0;
  unsigned hash = 0;

  argc = timing_option(argc, argv);
  if (argc > 1) n = atoi(argv[1]);
  if (argc > 2) queries = atoi(argv[2]);
  if (n < 1 || queries < 1) {
    fprintf(stderr, "Usage: kdtree [-t] [<points> [<queries>]]\n");
    return 1;
  }
  points = calloc(n, sizeof(struct kd_node_t));
  wanted = calloc(queries, sizeof(struct kd_node_t));
  found = malloc(queries * sizeof(int));
  visited = calloc(queries, sizeof(int));
  far = malloc(queries * sizeof(double));
  for (i = 0; i < n; i++) {
    points[i].id = i;
    for (int k = 0; k < dim; k++) points[i].x[k] = random_unit();
  }
  for (i = 0; i < queries; i++)
    for (int k = 0; k < dim; k++) wanted[i].x[k] = random_unit();

  timing_begin();
  root = make_tree(points, n, 0, dim);
  cilk_for (int q = 0; q < queries; q++) {
    struct kd_node_t* best = NULL;
    double best_dist = 0;
    nearest(root, &wanted[q], 0, dim, &best, &best_dist, &visited[q]);
    found[q] = best->id;
    far[q] = best_dist;
  }
  timing_end();

  for (i = 0; i < queries; i++) {
    hash = hash * 31 + (unsigned)found[i];
    looked += visited[i];
    sum += far[i];
  }
  /* A few of them, by looking at all points. */
  for (i = 0; i < queries; i += queries / 40 + 1) {
    struct kd_node_t* best = points;
    for (int j = 1; j < n; j++) {
      double d = dist(&points[j], &wanted[i], dim), b = dist(best, &wanted[i], dim);
      if (d < b || (d == b && points[j].id < best->id)) best = &points[j];
    }
    good = good && best->id == found[i];
  }
  printf(
      "kdtree of %d, depth %d, %d neighbours: hash %08x, squares of distances %.9f, %ld seen, %s\n",
      n, depth(root), queries, hash, sum, looked, good ? "nearest" : "WRONG");
  free(points);
  free(wanted);
  free(found);
  free(visited);
  free(far);
  return good ? 0 : 1;
}
