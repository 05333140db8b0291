#include <cilk/cilk.h>

#include <cstdio>
#include <mutex>
int main() {
  std::mutex guard;
  long total = 0;
  cilk_for(int i = 0; i < 20; ++i) {
    const std::lock_guard<std::mutex> lock(guard);
    total += i;
  }
  std::printf("%ld\n", total);
  return 0;
}
