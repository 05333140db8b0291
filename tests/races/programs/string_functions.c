#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
char name[32];
void set(const char* to) { strcpy(name, to); }  // @first
int main(int argc, char** argv) {
  cilk_spawn set(argc > 5 ? argv[1] : "abc");  // @spawn
  int n = (int)strlen(name);                   // RACE: first, here, spawn
  cilk_sync;
  printf("%d\n", n > 99);
  return 0;
}
