// OpenCilk's sums: globals, locals, members, in templates, through pointers; and a template of the program's own.
// RUN: %host-code-run-and-compare %s
#include <cilk/cilk.h>
#include <cilk/opadd_reducer.h>
#include <cstdio>

cilk::opadd_reducer<long> total = 5;

namespace own {
template <class T> void one(void* view) { *static_cast<T*>(view) = T(1); }
template <class T> void times(void* left, void* right) { *static_cast<T*>(left) *= *static_cast<T*>(right); }
template <class T, class As = T> using product = T _Hyperobject(own::one<As>, own::times<As>);
}

struct tally {
  cilk::opadd_reducer<int> calls = 0;
  void count(int n) { cilk_for (int i = 0; i < n; ++i) ++calls; }
};

static void walk(int low, int high) {
  if (high - low == 1) { total += low; return; }
  cilk_spawn walk(low, (low + high) / 2);
  walk((low + high) / 2, high);
  cilk_sync;
}

template <class T> T sum(int n) {
  cilk::opadd_reducer<T> all = 0;
  cilk_for (int i = 0; i < n; ++i) all += T(i) / 2;
  return all;
}

static void add_to(cilk::opadd_reducer<long>* to, int n) {
  cilk_for (int i = 0; i < n; ++i) *to += i;
}

int main() {
  walk(0, 200);
  add_to(&total, 50);
  tally made;
  made.count(77);
  own::product<unsigned> product = 1;
  cilk_for (int i = 0; i < 100; ++i) product *= 2 * i + 1;
  std::printf("%ld %d %d %.1f %u\n", total, made.calls, sum<int>(40), sum<double>(41), product);
}
