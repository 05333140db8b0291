// Sizes of parameters with effects are evaluated once in a call, also in a function that calls
// itself, of which host code has two versions.
// RUN: %host-code-run-and-compare %s
#include <cilk/cilk.h>
#include <stdio.h>
static int effects(int h, int w, int g[h][w++], int y) {
  if (y == h) return 0;
  int a = cilk_spawn effects(h, w - 1, g, y + 1);
  cilk_sync;
  return a + g[y][0] + w;
}
int main(void) {
  int g[4][5];
  for (int i = 0; i < 20; i++) g[i / 5][i % 5] = i * 3;
  printf("%d\n", effects(4, 5, g, 0));
}
