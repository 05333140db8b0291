#include <cilk/cilk.h>

#include <cstdio>
#include <mutex>
std::mutex guard;
long total;
void add(long n) {
  const std::lock_guard<std::mutex> lock(guard);
  total += n;  // @locked
}
int main() {
  cilk_spawn add(3);  // @spawn
  long seen = total;  // RACE: locked, here, spawn
  cilk_sync;
  std::printf("%d\n", seen > 9);
  return 0;
}
