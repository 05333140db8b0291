#include <cilk/cilk.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
struct counter {
  int n = 0;
  void up() { ++n; }  // RACE: here, here, spawn
};
int main() {
  counter c;
  cilk_spawn c.up();  // @spawn
  c.up();
  cilk_sync;
  std::printf("%d\n", c.n);
  return 0;
}
