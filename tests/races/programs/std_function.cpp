#include <cilk/cilk.h>

#include <cstdio>
#include <functional>
int total;
int main() {
  std::function<void(int)> add = [](int n) { total += n; };  // RACE: here, here, spawn
  cilk_spawn add(1);                                         // @spawn
  add(2);
  cilk_sync;
  std::printf("%d\n", total > 9);
  return 0;
}
