#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double grids[2][10][10];
int main(void) {
  for (int t = 0; t < 4; t++) {
    cilk_for(int i = 1; i < 9; i++) {
      for (int j = 1; j < 9; j++)
        grids[(t + 1) % 2][i][j] = grids[t % 2][i - 1][j] + grids[t % 2][i + 1][j];
    }
  }
  printf("%g\n", grids[0][1][1]);
  return 0;
}
