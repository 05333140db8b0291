#include <cilk/cilk.h>

#include <cstdio>
#include <vector>
int main() {
  std::vector<bool> even(64);
  cilk_for(int i = 0; i < 64; ++i) even[i] = i % 2 == 0;  // RACE: here, here, here
  std::printf("%d\n", static_cast<int>(even[1]));
  return 0;
}
