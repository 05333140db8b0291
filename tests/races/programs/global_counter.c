#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int visited;
void visit(int depth) {
  visited++;  // RACE: here, here, spawn
  if (depth == 0) return;
  cilk_spawn visit(depth - 1);  // @spawn
  visit(depth - 1);
  cilk_sync;
}
int main(void) {
  visit(4);
  printf("%d\n", visited > 0);
  return 0;
}
