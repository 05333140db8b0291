#include <cilk/cilk.h>

#include <cstdio>
#include <map>
std::map<int, int> ages;
void note(int who) {
  ages[who] = who;  // RACE: here, here, spawn
}
int main() {
  cilk_spawn note(1);  // @spawn
  note(2);
  cilk_sync;
  std::printf("%d\n", ages.size() > 9);
  return 0;
}
