#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct result {
  int status;
  double value;
};
void solve(struct result* into, double x) {
  into->value = x * x;  // @write
  into->status = 1;
}
int main(void) {
  struct result r = {0, 0};
  cilk_spawn solve(&r, 3);  // @spawn
  double early = r.value;   // RACE: write, here, spawn
  cilk_sync;
  printf("%d\n", early + r.value > 0);
  return 0;
}
