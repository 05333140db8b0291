// Formats of tasks: CUDA has no sizes z, j and t, which are those of a long.
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --device=cuda --emit=tasks -w %s -o - | grep "printf(" | grep -v "//" | FileCheck %s
// CHECK: printf("%lu 100%% z%5ld %-*ld|{{.*}}", n, d, 6, n)
// CHECK-SAME: printf("{{.*}}%ld{{.*}}%s{{.*}}", (uint64_t)n, (intmax_t)d, "%zu")
// CHECK: fprintf(stdout, "level %lu of %s{{.*}}"
#include <cilk/cilk.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
static void say(size_t n, ptrdiff_t d) { printf("%zu 100%% z%5td %-*zd|\n", n, d, 6, n); printf("%" PRIu64 " \"%jd\"\t%s\n", (uint64_t)n, (intmax_t)d, "%zu"); }
static void tree(int n) {
  if (n == 0) { say(5000000000u, -3); return; }
  cilk_spawn tree(n - 1);
  cilk_sync;
  fprintf(stdout, "level %zu of %s\n", sizeof(long) + n, "tree");
}
int main() { tree(2); }
