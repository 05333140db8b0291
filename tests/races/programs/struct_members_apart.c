#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct point {
  int x, y;
};
void move_x(struct point* p) { p->x++; }
void move_y(struct point* p) { p->y++; }
int main(void) {
  struct point p = {1, 2};
  cilk_spawn move_x(&p);
  move_y(&p);
  cilk_sync;
  printf("%d\n", p.x + p.y);
  return 0;
}
