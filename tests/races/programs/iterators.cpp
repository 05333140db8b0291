#include <cilk/cilk.h>

#include <cstdio>
#include <vector>
int main() {
  std::vector<int> v(10, 1);
  cilk_for(auto at = v.begin() + 1; at != v.end(); ++at)* at += at[-1];  // RACE: here, here, here
  std::printf("%d\n", v[9] > 99);
  return 0;
}
