// Variables of inner blocks and of conditions, static ones, results that nobody can read any more.
// RUN: %host-code-run-and-compare %s
#include <cilk/cilk.h>

#include <cstdio>

static int leaf(int n) { return n * n; }
static int top = cilk_spawn leaf(7);
struct made {
  int a;
  int b = cilk_spawn leaf(2);
  explicit made(int n) : a(cilk_spawn leaf(n)) {
    int x = cilk_spawn leaf(a);
    cilk_sync;
    b += x;
  }
  ~made() {
    int x = cilk_spawn leaf(a);
    cilk_sync;
    top += x;
  }
  operator int() const {
    int x = cilk_spawn leaf(b);
    cilk_sync;
    return x;
  }
};
static int defaults(int n = cilk_spawn leaf(3)) { return n; }

int main() {
  int s = 0;
  for (int i = cilk_spawn leaf(1), j = 0; i < cilk_spawn leaf(3); i = i + (cilk_spawn leaf(2)), cilk_spawn leaf(j)) {
    static int kept = cilk_spawn leaf(5);
    if (int x = cilk_spawn leaf(i); x > 3) s += x + kept;
    while ((j = cilk_spawn leaf(j)) > 100) break;
    switch (int k = cilk_spawn leaf(2)) {
      case 4: s += cilk_spawn leaf(k); break;
      default: s += j;
    }
    cilk_sync;
  }
  {
    made m(3);
    s += m;
  }
  auto value = [&s](auto x) -> int { return s + (cilk_spawn leaf(x)) * 2; };
  long sum = leaf(2) + (cilk_spawn leaf(3), cilk_spawn leaf(4)) + value(2);
  bool both = cilk_spawn leaf(1) && cilk_spawn leaf(0);
  std::printf("%d %d %ld %d %d\n", s, top, sum, both, defaults());
}
