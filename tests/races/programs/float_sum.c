#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double a[40], sum;
int main(void) {
  cilk_for(int i = 0; i < 40; i++) sum += a[i] * 2;  // RACE: here, here, here
  printf("%d\n", sum > 9);
  return 0;
}
