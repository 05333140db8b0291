#include <cilk/cilk.h>

#include <cstdio>
#include <memory>
std::unique_ptr<int> owned = std::make_unique<int>(4);
int look() {
  return *owned;  // @look
}
int main() {
  int n = cilk_spawn look();  // @spawn
  owned.reset();              // RACE: look, here, spawn
  cilk_sync;
  std::printf("%d\n", n > 9);
  return 0;
}
