#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned char bytes[64];
int counts[8];
int main(void) {
  for (int i = 0; i < 64; i++) bytes[i] = (unsigned char)(i * 7);
  cilk_for(int i = 0; i < 64; i++)  // @loop
      counts[bytes[i] % 8]++;       // RACE: here, here, loop
  printf("%d\n", counts[0] > 0);
  return 0;
}
