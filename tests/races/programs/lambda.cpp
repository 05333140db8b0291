#include <cilk/cilk.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
int main() {
  int total = 0;
  auto add = [&](int by) { total += by; };  // RACE: here, here, spawn
  cilk_spawn add(1);                        // @spawn
  add(2);
  cilk_sync;
  std::printf("%d\n", total);
  return 0;
}
