#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

union {
  long long whole;
  int half[2];
} u;
void low(int to) { u.half[0] = to; }  // @low
int main(void) {
  cilk_spawn low(3);        // @spawn
  long long all = u.whole;  // RACE: low, here, spawn
  cilk_sync;
  printf("%d\n", all > 99);
  return 0;
}
