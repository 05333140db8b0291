// C++: namespaces, overloads, members, templates, variables that are made when the program starts.
// RUN: %host-code-run-and-compare %s
// RUN: %cilk2chan %s -o %t
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t 2>&1 | FileCheck %s
// RUN: %cilk2chan -c %s -o %t.o && %cilk2chan %t.o -o %t
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: calls 138
// CHECK: tasks{{ +}}{{[1-9][0-9]+}}
#include <cilk/cilk.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace app {

namespace {
std::map<int, int> memo = {{1, 10}, {2, 20}};
std::atomic<int> calls{0};
class scale {
 public:
  explicit scale(int by) : by_(by) {}
  int of(int n) const;

 private:
  int by_;
};
int scale::of(int n) const { return n * by_; }
}  // namespace

const std::string prefix = "calls";
std::vector<int> data(10, 3);

class counter {
 public:
  void add();
  static int total;
  int operator()(int n) const { return n + total; }
};
int counter::total = 1;
void counter::add() { ++calls; }

template <class T>
T largest(const std::vector<T>& of) {
  return *std::max_element(of.begin(), of.end());
}

static int lookup(int n) {
  const auto found = memo.find(n);
  return found == memo.end() ? 0 : found->second;
}

long tree(long n);
int tree(int n, int depth = 0);

long tree(long n) {
  if (n < 2) {
    counter().add();
    return lookup(static_cast<int>(n)) + scale(2).of(3) + largest(data) + counter()(1);
  }
  long x = cilk_spawn tree(n - 1);
  long y = tree(n - 2);
  cilk_sync;
  return x + y;
}

int tree(int n, int depth) {
  if (n == 0) return depth;
  int x = cilk_spawn tree(n - 1, depth + 1);
  long y = cilk_spawn tree(static_cast<long>(n));
  cilk_sync;
  return x + static_cast<int>(y);
}

}  // namespace app

template <class F>
auto apply(F f) {
  return f();
}

int main() {
  using app::tree;
  long r = app::tree(8L) + tree(8);
  r += apply([] { return app::tree(3); });
  int (*pointer)(int, int) = app::tree;
  r += pointer(4, 1);
  std::printf("%ld\n%s %d\n", r, app::prefix.c_str(), app::calls.load());
}
