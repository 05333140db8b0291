#include <cilk/cilk.h>
#include <step.h>
#include <stdio.h>

#ifndef MORE
#define MORE 0
#endif

int second(void);

static int count(int n) {
  if (n == 0) return BASE + MORE;
  int x = cilk_spawn count(n - STEP);
  cilk_sync;
  return x + 1;
}

int main(void) {
  printf("%d %d %s\n", count(2), second(), TEXT);
  return 0;
}
