/* The permutation flow shop: all jobs go through the machines in the same order, and the last one
 * is to be done as early as possible. Branch and bound over the order of the jobs: a node of the
 * search has those that come first, and is cut if what the rest takes on one machine, with the
 * least that comes behind it, is no better than the best order found. Times as in Taillard's
 * instances. */
#include <cilk/cilk.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing.h"

#define MAX_JOBS 20
#define MAX_MACHINES 10

typedef struct {
  int jobs, machines;
  int time[MAX_JOBS][MAX_MACHINES];
  int tail[MAX_JOBS][MAX_MACHINES]; /* of a job, behind a machine */
} instance;

typedef struct {
  int depth;
  signed char order[MAX_JOBS]; /* those before depth are fixed */
  int front[MAX_MACHINES];     /* when each machine has done these */
  int rest[MAX_MACHINES];      /* what each has to do for the others */
} node;

static int best;

static inline int best_now(void) { return __atomic_load_n(&best, __ATOMIC_RELAXED); }

static void lower_best(int value) {
  int seen = best_now();
  while (value < seen &&
         !__atomic_compare_exchange_n(&best, &seen, value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

/* The node with the job at `which` next. */
static void append(const instance* in, const node* parent, int which, node* child) {
  int job = parent->order[which];
  *child = *parent;
  child->order[which] = parent->order[parent->depth];
  child->order[child->depth++] = (signed char)job;
  for (int m = 0; m < in->machines; m++) {
    int begin = child->front[m];
    if (m > 0 && child->front[m - 1] > begin) begin = child->front[m - 1];
    child->front[m] = begin + in->time[job][m];
    child->rest[m] -= in->time[job][m];
  }
}

static int bound(const instance* in, const node* p) {
  int most = 0;
  for (int m = 0; m < in->machines; m++) {
    int tail = INT_MAX, all;
    for (int i = p->depth; i < in->jobs; i++)
      if (in->tail[p->order[i]][m] < tail) tail = in->tail[p->order[i]][m];
    all = p->front[m] + p->rest[m] + tail;
    if (all > most) most = all;
  }
  return most;
}

/* Returns how many orders were looked at to their end, which depends on who finds what first. */
static long search(const instance* in, node p) {
  long leaves[MAX_JOBS], sum = 0;
  if (p.depth == in->jobs) {
    lower_best(p.front[in->machines - 1]);
    return 1;
  }
  for (int i = p.depth; i < in->jobs; i++) {
    node child;
    leaves[i] = 0;
    append(in, &p, i, &child);
    if (child.depth < in->jobs && bound(in, &child) >= best_now()) continue;
    leaves[i] = cilk_spawn search(in, child);
  }
  cilk_sync;
  for (int i = p.depth; i < in->jobs; i++) sum += leaves[i];
  return sum;
}

static void prepare(instance* in) {
  for (int j = 0; j < in->jobs; j++) {
    in->tail[j][in->machines - 1] = 0;
    for (int m = in->machines - 2; m >= 0; m--)
      in->tail[j][m] = in->tail[j][m + 1] + in->time[j][m + 1];
  }
}

static node root_of(const instance* in) {
  node root;
  memset(&root, 0, sizeof(root));
  for (int j = 0; j < in->jobs; j++) {
    root.order[j] = (signed char)j;
    for (int m = 0; m < in->machines; m++) root.rest[m] += in->time[j][m];
  }
  return root;
}

/* Taillard's generator: from 1 to 99. */
static int uniform(long* seed) {
  *seed = *seed * 16807 % 2147483647;
  return 1 + (int)(*seed / 2147483647.0 * 99);
}

/* The same shop from its end: its optimum is the same. Each job is put last, in turn. */
static long search_serial(const instance* in, node p, int* found) {
  long nodes = 1;
  if (p.depth == in->jobs) {
    if (p.front[in->machines - 1] < *found) *found = p.front[in->machines - 1];
    return nodes;
  }
  for (int i = in->jobs - 1; i >= p.depth; i--) {
    node child;
    append(in, &p, i, &child);
    if (child.depth < in->jobs && bound(in, &child) >= *found) continue;
    nodes += search_serial(in, child, found);
  }
  return nodes;
}

static int from_its_end(const instance* in) {
  instance back = *in;
  int found = INT_MAX;
  for (int j = 0; j < in->jobs; j++)
    for (int m = 0; m < in->machines; m++) back.time[j][m] = in->time[j][in->machines - 1 - m];
  prepare(&back);
  search_serial(&back, root_of(&back), &found);
  return found;
}

int main(int argc, char** argv) {
  instance in;
  long seed = 873654221, leaves;
  int good;

  argc = timing_option(argc, argv);
  in.jobs = argc > 1 ? atoi(argv[1]) : 8;
  in.machines = argc > 2 ? atoi(argv[2]) : 5;
  if (in.jobs < 1 || in.jobs > MAX_JOBS || in.machines < 1 || in.machines > MAX_MACHINES) {
    fprintf(stderr, "Usage: flowshop [-t] [<jobs, at most %d> [<machines, at most %d>]]\n",
            MAX_JOBS, MAX_MACHINES);
    return 1;
  }
  for (int m = 0; m < in.machines; m++)
    for (int j = 0; j < in.jobs; j++) in.time[j][m] = uniform(&seed);
  prepare(&in);
  best = INT_MAX;

  timing_begin();
  leaves = search(&in, root_of(&in));
  timing_end();

  good = leaves > 0 && best == from_its_end(&in);
  printf("flowshop of %d jobs, %d machines: done at %d at the earliest, %s\n", in.jobs, in.machines,
         best, good ? "right" : "WRONG");
  return good ? 0 : 1;
}
