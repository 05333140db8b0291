#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double a[8][8], b[8][8], c[8][8];
int main(void) {
  cilk_for(int i = 0; i < 8; i++) {
    cilk_for(int j = 0; j < 8; j++) {
      double sum = 0;
      for (int k = 0; k < 8; k++) sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
  }
  printf("%g\n", c[1][1]);
  return 0;
}
