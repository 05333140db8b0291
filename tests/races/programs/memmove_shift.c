#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int queue[32];
void shift(int* q, int n) { memmove(q, q + 1, (size_t)(n - 1) * sizeof(int)); }  // @shift
int main(int argc, char** argv) {
  (void)argv;
  cilk_spawn shift(queue, 8 + argc);  // @spawn
  queue[3] = 7;                       // RACE: shift, here, spawn
  cilk_sync;
  printf("%d\n", queue[3] > 9);
  return 0;
}
