#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
char text[8];
void put(int at) { text[at] = (char)('a' + at); }
int main(void) {
  for (int i = 0; i < 7; i++) cilk_spawn put(i);
  cilk_sync;
  puts(text);
  return 0;
}
