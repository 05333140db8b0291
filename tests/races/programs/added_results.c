#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int one(int n) { return n; }
int main(void) {
  int s = 0;
  for (int i = 0; i < 5; i++) s += cilk_spawn one(i);
  cilk_sync;
  printf("%d\n", s);
  return 0;
}
