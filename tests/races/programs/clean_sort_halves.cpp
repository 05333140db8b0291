#include <cilk/cilk.h>

#include <algorithm>
#include <cstdio>
#include <vector>
static void sort(std::vector<int>& v, int from, int to) {
  if (to - from < 16) return std::sort(v.begin() + from, v.begin() + to);
  int middle = (from + to) / 2;
  cilk_spawn sort(v, from, middle);
  sort(v, middle, to);
  cilk_sync;
  std::inplace_merge(v.begin() + from, v.begin() + middle, v.begin() + to);
}
int main() {
  std::vector<int> v(200);
  for (int i = 0; i < 200; ++i) v[i] = i * 77 % 200;
  sort(v, 0, 200);
  std::printf("%d\n", v[0]);
  return 0;
}
