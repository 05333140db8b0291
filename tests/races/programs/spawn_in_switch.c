#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int total;
void add(int n) { total += n; }  // RACE: here, here, spawn
int main(int argc, char** argv) {
  (void)argv;
  for (int i = 0; i < 4; i++) {
    switch ((argc + i) % 3) {
      case 0: cilk_spawn add(i); break;  // @spawn
      case 1: add(7); break;
      default: break;
    }
  }
  cilk_sync;
  printf("%d\n", total > 99);
  return 0;
}
