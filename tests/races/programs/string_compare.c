#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char word[16] = "one";
void capitalise(char* of) { of[0] = (char)(of[0] - 32); }  // @write
int main(int argc, char** argv) {
  cilk_spawn capitalise(word);                          // @spawn
  int same = strcmp(word, argc > 5 ? argv[1] : "owe");  // RACE: write, here, spawn
  cilk_sync;
  printf("%d\n", same > 99);
  return 0;
}
