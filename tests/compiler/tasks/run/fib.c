// A task for each call; the frame is opened only by calls that spawn.
// RUN: %tasks-run-and-compare %s 22
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

int fib(int n) {
  if (n < 2) return n;
  int x = cilk_spawn fib(n - 1);
  int y = fib(n - 2);
  cilk_sync;
  return x + y;
}

int main(int argc, char** argv) {
  (void)argc;
  printf("%d\n", fib(atoi(argv[1])));
  return 0;
}
