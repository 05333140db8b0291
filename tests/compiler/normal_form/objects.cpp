// Local objects with constructors and destructors in functions that spawn: vectors, strings, and
// some that count; on every way out of their blocks.
// RUN: %host-code-run-and-compare %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t.lowered 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks{{ +}}{{[1-9][0-9]+}}
#include <cilk/cilk.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <string>
#include <vector>

static std::atomic<long> made{0};
static std::atomic<long> gone{0};

struct guarded {
  explicit guarded(int n) : value(n) { ++made; }
  guarded(const guarded&) = delete;
  guarded& operator=(const guarded&) = delete;
  ~guarded() { gone += value == 0 ? 1 : 1; }
  int value;
};

static void sort(std::vector<int>& numbers) {
  if (numbers.size() <= 8) {
    std::sort(numbers.begin(), numbers.end());
    return;
  }
  std::vector<int> left(numbers.begin(), numbers.begin() + static_cast<long>(numbers.size() / 2));
  std::vector<int> right(numbers.begin() + static_cast<long>(numbers.size() / 2), numbers.end());
  cilk_spawn sort(left);
  sort(right);
  cilk_sync;
  std::merge(left.begin(), left.end(), right.begin(), right.end(), numbers.begin());
}

static long letters(const std::string& text, int depth) {
  if (depth == 0) return static_cast<long>(std::count(text.begin(), text.end(), 'a'));
  std::string longer = text + "ab";
  std::string shorter(text, 0, text.size() / 2);
  long x = cilk_spawn letters(longer, depth - 1);
  long y = letters(shorter, depth - 1);
  cilk_sync;
  return x + y + static_cast<long>(longer.size());
}

static int ways(int n) {
  guarded outer(n);
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    guarded inner(i);
    if (i == n) continue;
    if (i > n) break;
    guarded second(i + 1);
    int x = cilk_spawn ways(n - 2);
    int y = cilk_spawn ways(n - 1 - i);
    cilk_sync;
    if (x + y > 1000) return x + y + second.value + inner.value;
    sum += x + y;
  }
  if (n < 1) return outer.value + 1;
  return sum + 1;
}

int main() {
  std::vector<int> numbers(2000);
  unsigned seed = 7;
  for (int& each : numbers) each = static_cast<int>((seed = seed * 1103515245u + 12345u) >> 16);
  sort(numbers);
  std::printf("sorted: %d\n", std::is_sorted(numbers.begin(), numbers.end()));
  std::printf("letters: %ld\n", letters("a long enough text for the heap, abracadabra", 9));
  std::printf("ways: %d\n", ways(9));
  std::printf("objects: %d %ld\n", made == gone, made.load());
  return 0;
}
