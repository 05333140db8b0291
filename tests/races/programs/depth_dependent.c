#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int leaves;
void walk(int depth) {
  if (depth == 0) {
    leaves++;  // RACE: here, here, spawn
    return;
  }
  cilk_spawn walk(depth - 1);  // @spawn
  if (depth == 3) cilk_sync;
  walk(depth - 1);
  cilk_sync;
}
int main(void) {
  walk(4);
  printf("%d\n", leaves);
  return 0;
}
