// Spawns of what is no function of the program's own that spawns: members, templates, function
// objects, through pointers.
// RUN: %host-code-run-and-compare %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t.lowered 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks{{ +}}{{[1-9][0-9]+}}
#include <cilk/cilk.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <numeric>
#include <vector>

struct adder {
  long by = 0;
  void add(long& to, long more) const { to += by * more; }
  long operator()(long x) const { return x * by; }
};

template <class T>
T largest(const T* from, int n) {
  return *std::max_element(from, from + n);
}

long square(long x) { return x * x; }
long cube(long x) { return x * x * x; }

class job {
 public:
  long run(const long* data, int n, long (*map)(long)) {
    long results[5];
    const adder seven{7};
    const std::unique_ptr<adder> three = std::make_unique<adder>(adder{3});
    results[0] = 5;
    cilk_spawn seven.add(results[0], 3);
    results[1] = cilk_spawn largest(data, n);
    results[2] = cilk_spawn map(data[1]);
    results[3] = cilk_spawn seven(data[2]);
    results[4] = 1;
    cilk_spawn three->add(results[4], data[3]);
    cilk_sync;
    return results[4] + results[0] + 3 * results[1] + 5 * results[2] + 11 * results[3];
  }
};

int main() {
  std::vector<long> data(100);
  std::iota(data.begin(), data.end(), 3);
  job one;
  std::printf("%ld %ld\n", one.run(data.data(), 100, square), one.run(data.data(), 50, cube));
  return 0;
}
