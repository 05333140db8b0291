#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct point {
  int x, y;
};
void move_x(struct point* p) { p->x++; }  // RACE: here, here, spawn
int main(void) {
  struct point p = {1, 2};
  cilk_spawn move_x(&p);  // @spawn
  move_x(&p);
  cilk_sync;
  printf("%d\n", p.x);
  return 0;
}
