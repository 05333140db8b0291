#include <cilk/cilk.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
int main() {
  std::vector<double> v(100);
  cilk_for(int i = 0; i < 100; ++i) v[i] = i;
  std::printf("%g\n", v[99]);
  return 0;
}
