#include <cilk/cilk.h>

#include <atomic>
#include <cstdio>
int main() {
  std::atomic<int> count{0};
  cilk_for(int i = 0; i < 30; ++i) {
    if (i % 3 == 0) count.fetch_add(1, std::memory_order_relaxed);
  }
  std::printf("%d\n", count.load());
  return 0;
}
