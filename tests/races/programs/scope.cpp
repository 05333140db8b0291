#include <cilk/cilk.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
int x;
void set(int to) { x = to; }
int main() {
  cilk_scope { cilk_spawn set(1); }
  set(2);
  std::printf("%d\n", x);
  return 0;
}
