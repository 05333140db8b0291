#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char buffer[100];
void clear(char* from, int bytes) { memset(from, 0, (size_t)bytes); }  // @clear
int main(int argc, char** argv) {
  (void)argv;
  cilk_spawn clear(buffer, 40 + argc);  // @spawn
  clear(buffer + 40, 59);               // RACE: clear, clear, spawn
  cilk_sync;
  printf("%d\n", buffer[3]);
  return 0;
}
