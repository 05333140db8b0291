#include <cilk/cilk.h>

#include <cstdio>

struct shape {
  static int made;
  shape() { ++made; }  // RACE: here, here, spawn
};
int shape::made = 0;
void build() { shape one; }
int main() {
  cilk_spawn build();  // @spawn
  build();
  cilk_sync;
  std::printf("%d\n", shape::made > 9);
  return 0;
}
