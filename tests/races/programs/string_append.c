#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char line[64] = "a";
void append(const char* what) { strcat(line, what); }  // @append
int main(int argc, char** argv) {
  cilk_spawn append(argc > 5 ? argv[1] : "bc");  // @spawn
  append(argc > 5 ? argv[2] : "de");             // RACE: append, append, spawn
  cilk_sync;
  printf("%d\n", line[0]);
  return 0;
}
