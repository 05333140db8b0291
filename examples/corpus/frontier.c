/* Breadth-first search with arrays, level by level: the edges of a frontier's vertices get places
 * by prefix sums, who reaches a vertex first becomes its parent and puts it there, and what is left
 * empty is packed away. Parents are settled by the least number, so that the tree is always the
 * same; components are counted by starting again. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing.h"

#define BLOCK 256

typedef struct {
  int degree;
  const int* neighbours;
} vertex;

typedef struct {
  int n, m;
  vertex* V;
  int* edges;
} graph;

/* Exclusive prefix sums in place; returns the sum of all. */
static int scan(int* a, int n) {
  int blocks = (n + BLOCK - 1) / BLOCK, total = 0;
  int sums[blocks + 1];
  cilk_for (int b = 0; b < blocks; b++) {
    int end = (b + 1) * BLOCK < n ? (b + 1) * BLOCK : n, sum = 0;
    for (int i = b * BLOCK; i < end; i++) sum += a[i];
    sums[b] = sum;
  }
  for (int b = 0; b < blocks; b++) {
    int sum = sums[b];
    sums[b] = total;
    total += sum;
  }
  cilk_for (int b = 0; b < blocks; b++) {
    int end = (b + 1) * BLOCK < n ? (b + 1) * BLOCK : n, sum = sums[b];
    for (int i = b * BLOCK; i < end; i++) {
      int one = a[i];
      a[i] = sum;
      sum += one;
    }
  }
  return total;
}

/* Writes those that are not -1 to `to`, in order; returns how many they are. */
static int pack(const int* from, int n, int* to) {
  int* place = (int*)malloc((n + 1) * sizeof(int));
  int kept;
  cilk_for (int i = 0; i < n; i++) place[i] = from[i] >= 0;
  kept = scan(place, n);
  place[n] = kept;
  cilk_for (int i = 0; i < n; i++)
    if (place[i + 1] > place[i]) to[place[i]] = from[i];
  free(place);
  return kept;
}

/* Lowers *at to value; whether it was higher. */
static int write_min(int* at, int value) {
  int seen = __atomic_load_n(at, __ATOMIC_RELAXED);
  while (value < seen)
    if (__sync_bool_compare_and_swap(at, seen, value))
      return 1;
    else
      seen = __atomic_load_n(at, __ATOMIC_RELAXED);
  return 0;
}

/* Sets distance and parent of all that is reached; returns the number of levels. */
static int bfs(const graph* g, int start, int* parent, int* distance) {
  int* frontier = (int*)malloc((g->m + 1) * sizeof(int));
  int* next = (int*)malloc((g->m + 1) * sizeof(int));
  int* place = (int*)malloc((g->n + 1) * sizeof(int));
  int size = 1, level = 0;
  frontier[0] = start;
  parent[start] = start;
  distance[start] = 0;
  while (size > 0) {
    int all;
    level++;
    cilk_for (int i = 0; i < size; i++) place[i] = g->V[frontier[i]].degree;
    all = scan(place, size);
    /* The least of its neighbours in the frontier becomes a vertex's parent. */
    cilk_for (int i = 0; i < size; i++) {
      int v = frontier[i];
      for (int k = 0; k < g->V[v].degree; k++) {
        int w = g->V[v].neighbours[k];
        if (distance[w] < 0) write_min(&parent[w], v);
      }
    }
    cilk_for (int i = 0; i < size; i++) {
      int v = frontier[i], *out = next + place[i];
      for (int k = 0; k < g->V[v].degree; k++) {
        int w = g->V[v].neighbours[k];
        out[k] = -1;
        if (parent[w] == v && __sync_bool_compare_and_swap(&distance[w], -1, level)) out[k] = w;
      }
    }
    size = pack(next, all, frontier);
  }
  free(frontier);
  free(next);
  free(place);
  return level;
}

/* Few edges for each vertex, so that there are many components. Each edge is there both ways. */
static graph make_graph(int n, int m) {
  graph g = {n, 2 * m, (vertex*)malloc(n * sizeof(vertex)), (int*)malloc(2 * m * sizeof(int))};
  int *ends = (int*)malloc(2 * m * sizeof(int)), *at = (int*)calloc(n + 1, sizeof(int)), sum = 0;
  unsigned seed = 17;
  for (int e = 0; e < 2 * m; e++) {
    seed = seed * 1664525u + 1013904223u;
    ends[e] = (int)((seed >> 4) % n);
    at[ends[e]]++;
  }
  for (int v = 0; v < n; v++) {
    g.V[v].degree = at[v];
    g.V[v].neighbours = g.edges + sum;
    at[v] = sum;
    sum += g.V[v].degree;
  }
  for (int e = 0; e < 2 * m; e++) g.edges[at[ends[e]]++] = ends[e ^ 1];
  free(ends);
  free(at);
  return g;
}

/* The same distances by a queue. */
static int check(const graph* g, const int* starts, int trees, const int* distance) {
  int *queue = (int*)malloc(g->n * sizeof(int)), *d = (int*)malloc(g->n * sizeof(int)), same;
  for (int v = 0; v < g->n; v++) d[v] = -1;
  for (int t = 0; t < trees; t++) {
    int head = 0, tail = 0;
    queue[tail++] = starts[t];
    d[starts[t]] = 0;
    while (head < tail) {
      int v = queue[head++];
      for (int k = 0; k < g->V[v].degree; k++) {
        int w = g->V[v].neighbours[k];
        if (d[w] >= 0) continue;
        d[w] = d[v] + 1;
        queue[tail++] = w;
      }
    }
  }
  same = memcmp(d, distance, g->n * sizeof(int)) == 0;
  free(queue);
  free(d);
  return same;
}

int main(int argc, char** argv) {
  int n = 3000, m = 0, levels = 0, trees = 0, good, *parent, *distance, *starts;
  unsigned long long sum = 0;
  graph g;

  argc = timing_option(argc, argv);
  if (argc > 1) n = atoi(argv[1]);
  m = argc > 2 ? atoi(argv[2]) : 3 * n;
  if (n < 1 || m < 1) {
    fprintf(stderr, "Usage: frontier [-t] [<vertices> [<edges>]]\n");
    return 1;
  }
  g = make_graph(n, m);
  parent = (int*)malloc(n * sizeof(int));
  distance = (int*)malloc(n * sizeof(int));
  starts = (int*)malloc(n * sizeof(int));

  timing_begin();
  cilk_for (int v = 0; v < n; v++) {
    parent[v] = n;
    distance[v] = -1;
  }
  /* The first few vertices that no search has reached. */
  for (int v = 0; v < n && trees < 8; v++) {
    if (distance[v] >= 0) continue;
    starts[trees++] = v;
    levels += bfs(&g, v, parent, distance);
  }
  timing_end();

  for (int v = 0; v < n; v++)
    if (distance[v] >= 0) sum += (unsigned long long)(distance[v] + 1) * (parent[v] % 1001 + 1);
  good = check(&g, starts, trees, distance);
  printf("frontier of %d vertices, %d edges: %d trees, %d levels, checksum %llu, %s\n", n, m, trees,
         levels, sum, good ? "right" : "WRONG");
  free(g.V);
  free(g.edges);
  free(parent);
  free(distance);
  free(starts);
  return good ? 0 : 1;
}
