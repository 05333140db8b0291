#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
char from[64], to[64];
void copy(int n) { memcpy(to, from, (size_t)n); }  // @first
int main(int argc, char** argv) {
  cilk_spawn copy(argc + 31);  // @spawn
  to[31] = 1;                  // RACE: first, here, spawn
  to[32] = 2;
  cilk_sync;
  printf("%d\n", to[32]);
  return 0;
}
