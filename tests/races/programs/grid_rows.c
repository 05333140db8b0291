#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { rows = 6, columns = 5 };
int main(void) {
  double* grid = calloc(rows * columns, sizeof(double));
  cilk_for(int i = 0; i < rows - 1; i++) {  // @loop
    for (int j = 0; j < columns; j++)
      grid[i * columns + j] = grid[(i + 1) * columns + j] + 1;  // RACE: here, here, loop
  }
  printf("%d\n", grid[0] > 9);
  free(grid);
  return 0;
}
