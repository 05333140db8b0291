#include <cilk/cilk.h>

#include <cstdio>

int main() {
  int depth = 0;
  auto outer = [&] {
    auto inner = [&] { depth = depth + 1; };  // RACE: here, here, spawn
    cilk_spawn inner();                       // @spawn
    inner();
    cilk_sync;
  };
  outer();
  std::printf("%d\n", depth > 9);
  return 0;
}
