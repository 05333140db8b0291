#include <cilk/cilk.h>

#include <cstdio>
#include <unordered_map>
std::unordered_map<int, int> counts;
void count(int what) {
  ++counts[what];  // RACE: here, here, loop
}
int main() {
  cilk_for(int i = 0; i < 6; ++i) count(i % 4);  // @loop
  std::printf("%d\n", counts.size() > 9);
  return 0;
}
