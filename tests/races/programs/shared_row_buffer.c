#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int line[16], image[4][16];
int main(void) {
  cilk_for(int y = 0; y < 4; y++) {                // @loop
    for (int x = 0; x < 16; x++) line[x] = x * y;  // @fill
    memcpy(image[y], line, sizeof line);           // RACE: here, fill, loop
  }
  // RACE: fill, fill, loop
  printf("%d\n", image[1][1] > 99);
  return 0;
}
