#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int work(int n) {
  int* mine = malloc(sizeof(int) * 16);
  for (int i = 0; i < 16; i++) mine[i] = n + i;
  int last = mine[15];
  free(mine);
  return last;
}
int main(void) {
  int results[12];
  cilk_for(int i = 0; i < 12; i++) results[i] = work(i);
  printf("%d\n", results[11]);
  return 0;
}
