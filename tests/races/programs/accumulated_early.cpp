#include <cilk/cilk.h>

#include <cstdio>
#include <numeric>
#include <vector>
void fill(std::vector<int>& v) {
  for (int& one : v) one = 3;  // @fill
}
int main() {
  std::vector<int> v(20);
  cilk_spawn fill(v);                                // @spawn
  int sum = std::accumulate(v.begin(), v.end(), 0);  // RACE: fill, here, spawn
  cilk_sync;
  std::printf("%d\n", sum > 99);
  return 0;
}
