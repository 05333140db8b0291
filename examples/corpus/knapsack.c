/* The 0-1 knapsack problem by branch and bound: which branches are cut depends on who found what
 * first, the best value does not. The best so far is a global that all read and that is only ever
 * raised, atomically. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

#include "timing.h"

#define MAX_ITEMS 64

struct item {
  int value;
  int weight;
};

int best_so_far = -1;

static int compare(const void* left, const void* right) {
  const struct item* a = (const struct item*)left;
  const struct item* b = (const struct item*)right;
  long c = (long)a->value * b->weight - (long)b->value * a->weight;
  if (c > 0) return -1;
  if (c < 0) return 1;
  return b->weight - a->weight;
}

static inline int best_now(void) { return __atomic_load_n(&best_so_far, __ATOMIC_RELAXED); }

static void raise_best(int value) {
  int seen = best_now();
  while (value > seen && !__atomic_compare_exchange_n(&best_so_far, &seen, value, 0,
                                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

/* e: the items not yet decided, n of them, best ratio first; c: capacity left; v: value so far. The
 * best value of a solution below here, or anything no better than best_so_far. */
int knapsack(struct item* e, int c, int n, int v) {
  int with, without, best;
  double ub;

  /* Below are values that are not reached: too heavy. */
  if (c < 0) return -1;

  if (n == 0 || c == 0) {
    raise_best(v);
    return v;
  }

  ub = (double)v + (double)c * e->value / e->weight;
  if (ub <= best_now()) return -1;

  without = cilk_spawn knapsack(e + 1, c, n - 1, v);
  with = knapsack(e + 1, c - e->weight, n - 1, v + e->value);
  cilk_sync;

  best = with > without ? with : without;
  return best;
}

/* Values near to weights, so that bounds cut little. */
int make_items(struct item* items, int n) {
  unsigned seed = 4711;
  int i, weights = 0;
  for (i = 0; i < n; i++) {
    seed = seed * 1103515245u + 12345u;
    items[i].weight = 20 + (int)(seed >> 16) % 80;
    seed = seed * 1103515245u + 12345u;
    items[i].value = items[i].weight + 10 + (int)(seed >> 16) % 2;
    weights += items[i].weight;
  }
  qsort(items, n, sizeof(struct item), compare);
  return weights / 2;
}

/* By a table over capacities. */
int check(const struct item* items, int n, int capacity) {
  int* table = (int*)calloc(capacity + 1, sizeof(int));
  int i, c, result;
  for (i = 0; i < n; i++)
    for (c = capacity; c >= items[i].weight; c--) {
      int with = table[c - items[i].weight] + items[i].value;
      if (with > table[c]) table[c] = with;
    }
  result = table[capacity];
  free(table);
  return result;
}

int report(const struct item* items, int n, int capacity, int best) {
  int good = best == check(items, n, capacity);
  printf("knapsack of %d items, capacity %d: best value %d, %s\n", n, capacity, best,
         good ? "right" : "WRONG");
  return good;
}

int main(int argc, char* argv[]) {
  struct item items[MAX_ITEMS];
  int n = 20, capacity, sol;

  argc = timing_option(argc, argv);
  if (argc > 1) n = atoi(argv[1]);
  if (n < 1 || n > MAX_ITEMS) {
    fprintf(stderr, "Usage: knapsack [-t] [<items, at most %d>]\n", MAX_ITEMS);
    return 1;
  }
  capacity = make_items(items, n);

  timing_begin();
  sol = knapsack(items, capacity, n, 0);
  timing_end();
  if (best_so_far > sol) sol = best_so_far;
  return report(items, n, capacity, sol) ? 0 : 1;
}
