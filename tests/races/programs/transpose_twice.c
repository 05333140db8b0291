#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int m[6][6];
int main(void) {
  cilk_for(int i = 0; i < 6; i++) {  // @loop
    for (int j = 0; j < 6; j++) {
      int t = m[i][j];
      m[i][j] = m[j][i];  // @first
      m[j][i] = t;        // @second
    }
  }
  // RACE: first, second, loop
  printf("%d\n", m[1][2]);
  return 0;
}
