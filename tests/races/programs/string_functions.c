#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
char name[32];
void set(const char* to) { strcpy(name, to); }
int main(int argc, char** argv) {
  cilk_spawn set(argc > 5 ? argv[1] : "abc");
  int n = (int)strlen(name);  // RACE: 6, here
  cilk_sync;
  printf("%d\n", n > 99);
  return 0;
}
