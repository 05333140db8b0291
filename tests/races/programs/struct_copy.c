#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point {
  long x, y, z, w;
} p, copy;
void move(struct point* what) { what->z += 5; }  // @move
int main(void) {
  cilk_spawn move(&p);  // @spawn
  copy = p;             // RACE: move, here, spawn
  cilk_sync;
  printf("%ld\n", copy.x + p.z > 100);
  return 0;
}
