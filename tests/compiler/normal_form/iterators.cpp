// Parallel loops over iterators, and with several variables; in members, templates and `main`.
// RUN: %host-code-run-and-compare %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t.lowered 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks{{ +}}{{[1-9][0-9]+}}
// CHECK: scaled (cilk_for in line
#include <cilk/cilk.h>

#include <array>
#include <cstdio>
#include <deque>
#include <vector>

template <class Iterator, class T>
void scaled(Iterator begin, Iterator end, T factor) {
  cilk_for(Iterator at = begin; at != end; ++at)* at = *at * factor;
}

class series {
 public:
  explicit series(int n) : values_(static_cast<unsigned>(n)) {
    for (int i = 0; i < n; ++i) values_[static_cast<unsigned>(i)] = i;
  }
  void square() {
#pragma cilk grainsize 4
    cilk_for(auto at = values_.begin(), end = values_.end(); at < end; ++at) {
      if (*at == 3) continue;
      *at *= *at;
    }
  }
  void mark(int step) {
    cilk_for(auto at = values_.begin() + 1; at < values_.end(); at += step)* at = -*at;
  }
  // Backwards, and with the limit among the iterations.
  void back() {
    cilk_for(auto at = values_.end() - 1; at >= values_.begin() + 2; at -= 3)* at += 1000;
  }
  void nothing() {
    cilk_for(auto at = values_.end(); at < values_.begin(); at += 2)* at = 0;
    cilk_for(auto at = values_.begin(); at > values_.end(); --at)* at = 0;
  }
  void print() const {
    for (const long one : values_) std::printf("%ld ", one);
    std::printf("\n");
  }
  std::vector<long>& values() { return values_; }

 private:
  std::vector<long> values_;
};

static void add(std::vector<int>& to, const std::deque<int>& from) {
  cilk_for(int i = 0, n = static_cast<int>(to.size()), last = n - 1; i < n; i += 2)
      to[static_cast<unsigned>(i)] += from[static_cast<unsigned>(last - i)];
}

int main() {
  series numbers(30);
  numbers.square();
  numbers.mark(4);
  numbers.back();
  numbers.nothing();
  scaled(numbers.values().begin(), numbers.values().end(), 2L);
  numbers.print();

  std::deque<int> row(25, 3);
  scaled(row.begin() + 3, row.end(), 5);
  std::vector<int> sums(25, 1);
  add(sums, row);
  std::array<double, 9> parts = {};
  cilk_for(auto at = parts.begin(); at != parts.end(); at++)* at =
      static_cast<double>(at - parts.begin()) / 2;
  cilk_for(auto at = sums.begin(); at <= sums.end() - 1; at += 6)* at = -1;
  for (int one : sums) std::printf("%d ", one);
  for (double one : parts) std::printf("%g ", one);
  std::printf("\n");
  return 0;
}
