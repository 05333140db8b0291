#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int last_error;
int check(int n) {
  if (n % 3 != 0) return 1;
  last_error = n;  // RACE: here, here, loop
  return 0;
}
int main(void) {
  int good[9];
  cilk_for(int i = 0; i < 9; i++) good[i] = check(i);  // @loop
  printf("%d\n", good[0] + last_error > 99);
  return 0;
}
