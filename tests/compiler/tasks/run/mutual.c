// Tasks that spawn each other, and a plain call that is returned.
// RUN: %tasks-run-and-compare %s 14
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

int odd(int n);

int even(int n) {
  if (n == 0) return 1;
  int a = cilk_spawn odd(n - 1);
  int b = cilk_spawn odd(n - 1);
  cilk_sync;
  return a && b;
}

int odd(int n) {
  if (n == 0) return 0;
  return even(n - 1);
}

int main(int argc, char** argv) {
  (void)argc;
  for (int i = 0; i < atoi(argv[1]); ++i) printf("%d %d %d\n", i, even(i), odd(i));
  return 0;
}
