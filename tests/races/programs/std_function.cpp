#include <cilk/cilk.h>

#include <cstdio>
#include <functional>
int total;
void plus(int n) { total += n; }  // RACE: here, here, spawn
int main() {
  const std::function<void(int)> add = plus;
  cilk_spawn add(1);  // @spawn
  add(2);
  cilk_sync;
  std::printf("%d\n", total > 9);
  return 0;
}
