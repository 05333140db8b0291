#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int queue[64], tail;
void expand(int node) {
  if (node >= 8) return;
  queue[tail] = node;
  tail = tail + 1;  // RACE: here, here, loop
}
int main(void) {
  cilk_for(int i = 0; i < 12; i++) expand(i);  // @loop
  printf("%d\n", tail > 99);
  return 0;
}
