// Results and parameters of types in unnamed namespaces, of a function outside of them.
// RUN: %host-code-run-and-compare %s
// RUN: %cilk2chan -O0 %s -o %t.out 2>&1 | count 0
#include <cilk/cilk.h>

#include <cstdio>

namespace {
struct counted {
  long ones, all;
};
namespace inner {
struct range {
  int low, high;
};
}  // namespace inner
}  // namespace

static counted count(inner::range over) {
  if (over.high - over.low == 1) return {over.low % 3 == 1, 1};
  const int middle = (over.low + over.high) / 2;
  const inner::range left = {over.low, middle};
  const inner::range right = {middle, over.high};
  counted a = cilk_spawn count(left);
  counted b = count(right);
  cilk_sync;
  return {a.ones + b.ones, a.all + b.all};
}

int main() {
  const counted all = count({0, 1000});
  std::printf("%ld of %ld\n", all.ones, all.all);
}
