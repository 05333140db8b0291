#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int a[10];
static void add(int* to, int n) { *to += n; }
int main(void) {
  for (int i = 0; i < 10; i++) {
    cilk_spawn add(&a[0], i);
    if (i > 0) add(&a[i], 1);
    cilk_sync;
    a[0] += a[9];
  }
  printf("%d\n", a[0]);
  return 0;
}
