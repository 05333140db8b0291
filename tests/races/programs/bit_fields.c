#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct { unsigned low : 4, high : 4; } bits;
void low(void) { bits.low = 3; }
void high(void) { bits.high = 5; }  // RACE: 6, here
int main(void) {
  cilk_spawn low();
  high();
  cilk_sync;
  printf("%u\n", bits.low + bits.high);
  return 0;
}
