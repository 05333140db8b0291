/* Search of an unbalanced tree: how many children a node has is a hash of its place, so that nobody
 * knows the size of a subtree before it has been walked. Each call returns a structure; the
 * children's are in an array of variable length. */
#include <cilk/cilk.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "timing.h"

struct counts {
  uint64_t nodes, leaves, hash;
  int height;
};

static struct parameters {
  int root_children; /* how many the root has */
  double more;       /* the chance that another node has children */
  int children;      /* and then how many */
} tree = {300, 0.245, 4};

static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

static int children_of(uint64_t state, int depth) {
  if (depth == 0) return tree.root_children;
  return (double)(state >> 11) / 9007199254740992.0 < tree.more ? tree.children : 0;
}

struct counts walk(uint64_t state, int depth) {
  int n = children_of(state, depth);
  struct counts sum = {1, n == 0, state, depth};

  if (n > 0) {
    struct counts below[n];
    for (int i = 0; i < n; i++) below[i] = cilk_spawn walk(mix(state + i), depth + 1);
    cilk_sync;
    for (int i = 0; i < n; i++) {
      sum.nodes += below[i].nodes;
      sum.leaves += below[i].leaves;
      sum.hash ^= below[i].hash;
      if (below[i].height > sum.height) sum.height = below[i].height;
    }
  }
  return sum;
}

int main(int argc, char** argv) {
  uint64_t seed = 19;
  struct counts all;

  argc = timing_option(argc, argv);
  if (argc > 1) tree.root_children = atoi(argv[1]);
  if (argc > 2) seed = strtoull(argv[2], NULL, 0);
  if (argc > 3) tree.more = atof(argv[3]);

  timing_begin();
  all = walk(mix(seed), 0);
  timing_end();

  printf("uts %d: %llu nodes, %llu leaves, height %d, hash %016llx\n", tree.root_children,
         (unsigned long long)all.nodes, (unsigned long long)all.leaves, all.height,
         (unsigned long long)all.hash);
  /* Every inner node but the root has tree.children. */
  return (all.nodes - all.leaves - 1) * tree.children + tree.root_children + 1 == all.nodes ? 0 : 1;
}
