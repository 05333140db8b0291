// Inline assembly beside spawns, and in what is spawned.
// RUN: %host-code-run-and-compare %s
#include <cilk/cilk.h>
#include <stdio.h>

static int same(int n) {
  int x = n;
  __asm__ volatile("" : "+r"(x) : : "memory");
  return x;
}

static int tree(int n) {
  int x, y;
  if (n < 2) return same(n);
  x = cilk_spawn tree(n - 1);
  __asm__ volatile("" ::: "memory");
  y = tree(n - 2);
  cilk_sync;
  __asm__ volatile("" : "+r"(x), "+r"(y));
  return x + y;
}

int main(void) {
  printf("%d\n", tree(15));
  return 0;
}
