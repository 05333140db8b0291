#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double grid[8][8];
int main(void) {
  cilk_for(int i = 1; i < 7; i++) {  // @loop
    for (int j = 1; j < 7; j++)
      grid[i][j] = (grid[i - 1][j] + grid[i + 1][j]) / 2;  // RACE: here, here, loop
  }
  printf("%d\n", grid[3][3] > 9);
  return 0;
}
