#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int x;
void set(int to) { x = to; }  // @set
int main(int argc, char** argv) {
  (void)argv;
  cilk_spawn set(1);  // @spawn
  if (argc < 9) goto end;
  cilk_sync;
end:
  printf("%d\n", x);  // RACE: set, here, spawn
  return 0;
}
