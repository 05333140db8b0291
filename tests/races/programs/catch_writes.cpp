#include <cilk/cilk.h>

#include <cstdio>
#include <stdexcept>
int state;
int look() { return state; }  // @look
void fails() { throw std::runtime_error("no"); }
int main() {
  int seen = cilk_spawn look();  // @spawn
  try {
    fails();
  } catch (const std::exception&) {
    state = 1;  // RACE: look, here, spawn
  }
  cilk_sync;
  std::printf("%d\n", seen > 9);
  return 0;
}
