/* Breadth-first search of a graph in compressed rows, level by level. The next frontier is a bag
 * that is a reducer: a list of chunks of vertices. Whoever first raises a vertex from "not seen"
 * puts it in its bag. Distances do not depend on who that is. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing.h"

#define CHUNK 256
#define UNSEEN (-1)

typedef struct chunk {
  struct chunk* next;
  int size;
  int vertices[CHUNK];
} chunk;

typedef struct {
  chunk *first, *last;
} bag;

void bag_identity(void* view) { memset(view, 0, sizeof(bag)); }

void bag_reduce(void* left, void* right) {
  bag *l = left, *r = right;
  if (!r->first) return;
  if (l->first)
    l->last->next = r->first;
  else
    l->first = r->first;
  l->last = r->last;
}

bag cilk_reducer(bag_identity, bag_reduce) found = {NULL, NULL};

static void bag_insert(int v) {
  if (!found.last || found.last->size == CHUNK) {
    chunk* c = malloc(sizeof(chunk));
    c->next = NULL;
    c->size = 0;
    if (found.last)
      found.last->next = c;
    else
      found.first = c;
    found.last = c;
  }
  found.last->vertices[found.last->size++] = v;
}

static int n = 5000, degree = 6;
static int *begins, *targets, *distance;

static void visit(const chunk* c, int from, int to, int level) {
  if (to - from > 32) {
    int middle = (from + to) / 2;
    cilk_spawn visit(c, from, middle, level);
    visit(c, middle, to, level);
    cilk_sync;
    return;
  }
  for (; from < to; from++) {
    int v = c->vertices[from];
    for (int e = begins[v]; e < begins[v + 1]; e++) {
      int w = targets[e], seen = UNSEEN;
      if (__atomic_load_n(&distance[w], __ATOMIC_RELAXED) == UNSEEN &&
          __atomic_compare_exchange_n(&distance[w], &seen, level, 0, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
        bag_insert(w);
    }
  }
}

/* Returns the number of levels. */
static int search(int source) {
  int level = 0;
  distance[source] = 0;
  bag_insert(source);
  while (found.first) {
    chunk* frontier = found.first;
    found.first = found.last = NULL;
    level++;
    for (chunk* c = frontier; c; c = c->next) cilk_spawn visit(c, 0, c->size, level);
    cilk_sync;
    while (frontier) {
      chunk* done = frontier;
      frontier = frontier->next;
      free(done);
    }
  }
  return level;
}

/* A ring with random chords. */
static void make_graph(void) {
  unsigned seed = 99;
  int v, e = 0, i;
  for (v = 0; v < n; v++) {
    begins[v] = e;
    targets[e++] = (v + 1) % n;
    targets[e++] = (v + n - 1) % n;
    for (i = 2; i < degree; i++) {
      seed = seed * 1664525u + 1013904223u;
      if (seed >> 28 < 3) targets[e++] = (int)((seed >> 4) % n);
    }
  }
  begins[n] = e;
}

/* The same distances by a queue. */
static int check(int source) {
  int *queue = malloc(n * sizeof(int)), *d = malloc(n * sizeof(int)), head = 0, tail = 0, same;
  for (int v = 0; v < n; v++) d[v] = UNSEEN;
  d[source] = 0;
  queue[tail++] = source;
  while (head < tail) {
    int v = queue[head++];
    for (int e = begins[v]; e < begins[v + 1]; e++)
      if (d[targets[e]] == UNSEEN) {
        d[targets[e]] = d[v] + 1;
        queue[tail++] = targets[e];
      }
  }
  same = memcmp(d, distance, n * sizeof(int)) == 0;
  free(queue);
  free(d);
  return same;
}

int main(int argc, char** argv) {
  int levels, good;
  unsigned long long sum = 0;

  argc = timing_option(argc, argv);
  if (argc > 1) n = atoi(argv[1]);
  if (argc > 2) degree = atoi(argv[2]);
  if (n < 2 || degree < 2) {
    fprintf(stderr, "Usage: bfs [-t] [<vertices> [<degree>]]\n");
    return 1;
  }
  begins = malloc((n + 1) * sizeof(int));
  targets = malloc((size_t)n * degree * sizeof(int));
  distance = malloc(n * sizeof(int));
  make_graph();
  cilk_for (int v = 0; v < n; v++) distance[v] = UNSEEN;

  timing_begin();
  levels = search(0);
  timing_end();

  for (int v = 0; v < n; v++) sum += (unsigned long long)distance[v] * (v % 1001 + 1);
  good = check(0);
  printf("bfs of %d vertices, %d edges: %d levels, checksum %llu, %s\n", n, begins[n], levels, sum,
         good ? "right" : "WRONG");
  free(begins);
  free(targets);
  free(distance);
  return good ? 0 : 1;
}
