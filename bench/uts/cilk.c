/* The Cilk program as cilk2chan compiles it for the host. */
#include "bench/uts/cilk.h"

#define main cilk_main
#include "examples/corpus/uts_sha1.c"
#undef main

void bench_cilk_choose(const char* name) { choose_tree(name); }

struct cilk_counts bench_cilk_uts(void) {
  struct counts all = search(root_of(tree.seed), 0);
  struct cilk_counts result = {all.nodes, all.leaves, all.height};
  return result;
}
