#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct flags {
  unsigned a : 4, b : 4;
  unsigned : 0;
  unsigned c : 8;
};
static struct flags f;
static void set_c(unsigned to) { f.c = to & 255U; }
int main(void) {
  cilk_spawn set_c(3);
  f.a = 1;
  f.b = 2;
  cilk_sync;
  printf("%u\n", f.a + f.b + f.c);
  return 0;
}
