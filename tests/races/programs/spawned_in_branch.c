#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int seen;
void mark(int n) { seen = n; }  // RACE: here, here, spawn
int main(int argc, char** argv) {
  for (int i = 0; i < 4; i++) {
    if (i & 1) cilk_spawn mark(i);  // @spawn
  }
  cilk_sync;
  printf("%d\n", seen);
  return 0;
}
