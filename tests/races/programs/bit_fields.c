#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct {
  unsigned low : 4, high : 4;
} bits;
void low(void) { bits.low = 3; }    // @first
void high(void) { bits.high = 5; }  // RACE: first, here, spawn
int main(void) {
  cilk_spawn low();  // @spawn
  high();
  cilk_sync;
  printf("%u\n", bits.low + bits.high);
  return 0;
}
