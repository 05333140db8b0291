#include <cilk/cilk.h>

#include <cstdio>
#include <vector>
std::vector<int> all;
void add(int what) {
  all.push_back(what);  // RACE: here, here, spawn
}
int main() {
  all.reserve(10);
  cilk_spawn add(1);  // @spawn
  add(2);
  cilk_sync;
  std::printf("%d\n", all.size() > 9);
  return 0;
}
