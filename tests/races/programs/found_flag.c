#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int found, board[6];
void place(int row) {
  if (found) return;  // @read
  if (row == 2) {
    found = 1;  // RACE: here, read, loop
    return;
  }
  cilk_for(int i = 0; i < 3; i++) place(row + 1);  // @loop
}
int main(void) {
  place(0);
  printf("%d\n", found > 9);
  return 0;
}
