#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

long memo[20];
long fib(int n) {
  if (n < 2) return n;
  if (memo[n] != 0) return memo[n];  // @read
  long x = cilk_spawn fib(n - 1);    // @spawn
  long y = fib(n - 2);
  cilk_sync;
  memo[n] = x + y;  // RACE: here, read, spawn
  return x + y;
}
int main(void) {
  printf("%d\n", fib(10) > 99);
  return 0;
}
