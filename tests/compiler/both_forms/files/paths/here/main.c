#include <stdio.h>

#include <fib.h>

int main(void) {
  printf("%ld\n", fib(20));
  return 0;
}
