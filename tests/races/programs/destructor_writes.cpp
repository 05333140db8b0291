#include <cilk/cilk.h>

#include <cstdio>

int closed;
struct file {
  ~file() { closed += 1; }  // @close
};
void use() { file f; }
int main() {
  cilk_spawn use();    // @spawn
  int early = closed;  // RACE: close, here, spawn
  cilk_sync;
  std::printf("%d\n", early + closed > 99);
  return 0;
}
