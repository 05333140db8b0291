#include <cilk/cilk.h>

#include <cstdio>

int x;
void set(int to) { x = to; }  // @set
int main() {
  cilk_scope {
    cilk_spawn set(1);  // @spawn
    set(2);             // RACE: set, set, spawn
  }
  set(3);
  std::printf("%d\n", x);
  return 0;
}
