#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned seed = 1;
unsigned draw(void) {
  return seed = seed * 1103515245U + 12345U;  // RACE: here, here, spawn
}
int walk(int depth) {
  if (depth == 0) return (int)(draw() & 1U);
  int left = cilk_spawn walk(depth - 1);  // @spawn
  int right = walk(depth - 1);
  cilk_sync;
  return left + right;
}
int main(void) {
  printf("%d\n", walk(3) > 99);
  return 0;
}
