#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double a[4][4], b[4][4], c[4][4];
int main(void) {
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      cilk_for(int k = 0; k < 4; k++) c[i][j] += a[i][k] * b[k][j];  // RACE: here, here, here
    }
  }
  printf("%d\n", c[0][0] > 9);
  return 0;
}
