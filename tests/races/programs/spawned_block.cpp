#include <cilk/cilk.h>
#include <stdio.h>
int main() {
  int x = 0;
  cilk_spawn {  // @spawn
    x = 3;      // @write
  }
  int early = x;  // RACE: write, here, spawn
  cilk_sync;
  printf("%d\n", early + x);
  return 0;
}
