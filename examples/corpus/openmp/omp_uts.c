/* Counts the nodes of an unbalanced tree that hashes make up, and its leaves with atomic updates.
 *
 * omp_uts [-t] [children of the root] [permille of nodes that have children] */
#include "../timing.h"

#include <stdio.h>
#include <stdlib.h>

enum { children_inside = 8 };

struct node {
  unsigned long long state;
  int height;
};

static int root_children = 30;
static int permille = 118;
static long leaves;

static unsigned long long hash(unsigned long long x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ULL;
  return x ^ (x >> 33);
}

static int children_of(const struct node* parent) {
  if (parent->height == 0) return root_children;
  return (int)(parent->state % 1000) < permille ? children_inside : 0;
}

static long search(struct node parent) {
  int n = children_of(&parent);
  long counts[n + 1];
  long sum = 1;
  for (int i = 0; i < n; i++) {
    struct node child;
    child.height = parent.height + 1;
    child.state = hash(parent.state + (unsigned long long)i + 1);
#pragma omp task untied firstprivate(i, child) shared(counts)
    counts[i] = search(child);
  }
#pragma omp taskwait
  for (int i = 0; i < n; i++) sum += counts[i];
  if (n == 0) {
#pragma omp atomic
    leaves++;
  }
  return sum;
}

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  struct node root = {42, 0};
  long nodes = 0;
  if (argc > 1) root_children = atoi(argv[1]);
  if (argc > 2) permille = atoi(argv[2]);
  timing_begin();
#pragma omp parallel
  {
#pragma omp single
    {
#pragma omp taskgroup
      {
#pragma omp task shared(nodes)
        nodes = search(root);
      }
    }
  }
  timing_end();
  printf("omp_uts %d %d: %ld nodes, %ld leaves\n", root_children, permille, nodes, leaves);
  return 0;
}
