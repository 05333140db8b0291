#include <cilk/cilk.h>

#include <cstdio>

int main() {
  int hits = 0;
  auto hit = [&](int by) { hits += by; };  // @hit
  cilk_spawn hit(1);                       // @spawn
  hit(2);                                  // RACE: hit, hit, spawn
  cilk_sync;
  std::printf("%d\n", hits > 9);
  return 0;
}
