#include <cilk/cilk.h>

#include <cstdio>
#include <stdexcept>
static int check(int n) {
  if (n == 3) throw std::runtime_error("three");
  return n;
}
static int both(int a, int b) {
  int x = 0;
  int y = 0;
  try {
    x = cilk_spawn check(a);
    y = check(b);
    cilk_sync;
  } catch (const std::runtime_error&) {
    x = -1;
  }
  y += x;
  return y;
}
int main() {
  std::printf("%d %d %d\n", both(1, 2), both(3, 2), both(1, 3));
  return 0;
}
