// The same in C++: functions with overloads, of namespaces and classes, inline and of templates; templates that get
// functions, objects or pointers; members that are pointers; what is given to algorithms of the library.
// RUN: %device-run-and-compare %s -std=c++20
#include <cilk/cilk.h>

#include <algorithm>
#include <cstdio>

namespace shapes {
struct box {
  int width;
};
static int scaled(box b, int by) noexcept { return b.width * by; }
static int scaled(int a, int by) { return a * by + 1; }
inline int grown(box b, int by) { return b.width + by; }
}  // namespace shapes

using of_boxes = int (*)(shapes::box, int);
using of_numbers = int (*)(int, int);

template <class T>
static int largest(T a, T b) {
  return a > b ? a : b;
}
class table {
 public:
  static int less(int a, int b) { return a - b; }
  explicit table(of_numbers f) : function(f) {}
  int apply(int a, int b) const { return function(a, b); }
  int with_own(int a) const {
    of_numbers own = less;
    return apply(own(a, 2), 3) + (function == own);
  }

 private:
  of_numbers function;
};
namespace {
int hidden(int a, int b) { return a ^ b; }
bool descending(int a, int b) { return a > b; }
bool odd_first(int a, int b) { return a % 2 != b % 2 ? a % 2 : a < b; }
struct adder {
  int more;
  int operator()(int a, int b) const { return a + b + more; }
};

template <class F>
int fold(const int* a, int n, F f) {
  int all = 0;
  for (int i = 0; i < n; ++i) all = f(all, a[i]) % 10007;
  return all;
}
}  // namespace

static int leaves(const int* a, int n, of_numbers f, of_boxes g, const table* t) {
  if (n <= 8) {
    int own[8];
    std::copy(a, a + n, own);
    std::sort(own, own + n, n % 2 ? descending : odd_first);
    const adder plus{n};
    return fold(own, n, f) + fold(own, n, plus) + fold(own, n, &table::less) + g({n}, 3) + t->apply(own[0], 4) + t->with_own(n);
  }
  int x = cilk_spawn leaves(a, n / 2, f, g, t);
  int y = leaves(a + n / 2, n - n / 2, f, g, t);
  cilk_sync;
  return (x + y) % 100003;
}

int main() {
  int a[100];
  for (int i = 0; i < 100; ++i) a[i] = i * 37 % 101;
  of_numbers const numbers[] = {shapes::scaled, largest<int>, table::less, hidden};
  of_boxes const boxes[] = {shapes::scaled, shapes::grown};
  for (of_numbers f : numbers) {
    for (of_boxes g : boxes) {
      const table t(f == hidden ? numbers[0] : hidden);
      std::printf("%d ", leaves(a, 100, f, g, &t));
    }
  }
  std::printf("\n");
  return 0;
}
