#include <cilk/cilk.h>

#include <cstdio>
#include <vector>
int main() {
  std::vector<int> v(4);
  auto grow = [&v](int n) {
    v.resize(n);  // @grow
  };
  cilk_spawn grow(400);  // @spawn
  int first = v[0];      // RACE: grow, here, spawn
  cilk_sync;
  std::printf("%d\n", first);
  return 0;
}
