// A spawn in a template is given away also if one instance moves a value into the child and another one copies it.
// RUN: %cilk2chan --explain --emit=source -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %cilk2chan -O0 %s -o %t.out && env CHANNELS_CUS=2 CHANNELS_GIVE=always %t.out | FileCheck --check-prefix=RESULT %s
#include <cilk/cilk.h>

#include <cstdio>
#include <utility>

using both = std::pair<long, long>;

// CHECK: line [[@LINE+7]]: spawn, given away when a worker is hungry
template <class T, class Plus, class Map>
T sum(int low, int high, T none, Plus plus, Map map) {
  if (low == high) return none;
  if (high - low == 1) return map(low);
  const int middle = (low + high) / 2;
  // T is a number, or a type with constructors.
  T left = cilk_spawn sum(low, middle, none, plus, map);
  T right = sum(middle, high, none, plus, map);
  cilk_sync;
  return plus(left, right);
}

int main() {
  const long a = sum(0, 100, 0L, [](long x, long y) { return x + y; }, [](int i) -> long { return i; });
  const both b = sum(0, 100, both(0, 0), [](both x, both y) { return both(x.first + y.first, x.second + y.second); },
                     [](int i) { return both(i, 2 * i); });
  // RESULT: 4950 4950 9900
  std::printf("%ld %ld %ld\n", a, b.first, b.second);
  return 0;
}
