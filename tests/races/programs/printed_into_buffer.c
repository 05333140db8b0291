#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char text[32];
void write_number(int n) { snprintf(text, sizeof text, "%d", n); }  // @write
int main(void) {
  cilk_spawn write_number(17);  // @spawn
  char first = text[0];         // RACE: write, here, spawn
  cilk_sync;
  printf("%d\n", first > 99);
  return 0;
}
