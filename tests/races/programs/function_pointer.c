#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int state;
void up(int by) { state += by; }    // @up
void down(int by) { state -= by; }  // @down
int main(int argc, char** argv) {
  (void)argv;
  void (*const both[2])(int) = {up, down};
  cilk_spawn both[argc > 7](2);  // @spawn
  both[argc < 7](1);             // RACE: up, down, spawn
  cilk_sync;
  printf("%d\n", state);
  return 0;
}
