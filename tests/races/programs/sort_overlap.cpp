#include <cilk/cilk.h>

#include <algorithm>
#include <cstdio>
int a[40];
void sort(int from, int to) {
  std::sort(a + from, a + to);  // RACE: here, here, spawn
}
int main() {
  for (int i = 0; i < 40; ++i) a[i] = i * 17 % 40;
  cilk_spawn sort(0, 21);  // @spawn
  sort(20, 40);
  cilk_sync;
  std::printf("%d\n", a[0] > 99);
  return 0;
}
