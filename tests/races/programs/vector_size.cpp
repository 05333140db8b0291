#include <cilk/cilk.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
void add(std::vector<int>& v, int what) {
  v.push_back(what);  // @first
}
int main() {
  std::vector<int> v;
  v.reserve(10);
  cilk_spawn add(v, 1);           // @spawn
  const bool any = v.size() > 0;  // RACE: first, here, spawn
  cilk_sync;
  std::printf("%d\n", any);
  return 0;
}
