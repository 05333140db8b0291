#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

/* The n-th Fibonacci number, every call a task: the program that shows what a task costs. */
long fib(int n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 35;
  printf("fib(%d) = %ld\n", n, fib(n));
  return 0;
}
