#include <cilk/cilk.h>

#include <cstdio>
#include <utility>
std::pair<int, int> p{1, 2};
void swap() {
  std::swap(p.first, p.second);  // @swap
}
int main() {
  cilk_spawn swap();  // @spawn
  int x = p.second;   // RACE: swap, here, spawn
  cilk_sync;
  std::printf("%d\n", x > 9);
  return 0;
}
