// The type `bool`, which C has as a macro, of functions that spawn, also of those that other files see.
// RUN: %tasks-run-and-compare %s 12
#include <cilk/cilk.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

bool odd(int n);
bool even(int n);

bool even(int n) {
  if (n == 0) return true;
  bool before = cilk_spawn odd(n - 1);
  cilk_sync;
  return before;
}

bool odd(int n) {
  bool before;
  if (n == 0) return false;
  before = cilk_spawn even(n - 1);
  cilk_sync;
  return before;
}

int main(int argc, char** argv) {
  (void)argc;
  printf("%d %d\n", odd(atoi(argv[1])), even(atoi(argv[1])));
  return 0;
}
