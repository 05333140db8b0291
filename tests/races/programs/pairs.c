#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
  short first, second;
} pairs[8];
int main(void) {
  cilk_for(int i = 0; i < 16; i++) pairs[i / 2].second = (short)i;  // RACE: here, here, here
  printf("%d\n", pairs[0].second > 99);
  return 0;
}
