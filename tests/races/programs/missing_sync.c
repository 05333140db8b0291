#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
long fib(int n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);  // @first
  long y = fib(n - 2);
  return x + y;  // RACE: first, here, first
}
int main(void) {
  printf("%d\n", fib(8) > 0);
  return 0;
}
