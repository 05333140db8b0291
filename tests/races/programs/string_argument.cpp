#include <cilk/cilk.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
std::size_t length(const std::string& s) { return s.size() + s[0]; }
int main() {
  std::size_t r[4];
  for (int i = 0; i < 4; ++i) r[i] = cilk_spawn length(std::string(50, char('a' + i)));
  cilk_sync;
  std::printf("%zu\n", r[3]);
  return 0;
}
