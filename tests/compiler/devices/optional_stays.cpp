// Objects with destructors in unions, as in std::optional of a vector, are wrong in what nvcc makes:
// functions with such stay on the host. Those of numbers do not.
// RUN: %cilk2chan -O0 --device=emulated --explain %s -o %t.out 2>&1 | FileCheck %s
// RUN: env CHANNELS_DEVICE=emulated %t.out | FileCheck --check-prefix=RESULT %s
#include <cilk/cilk.h>

#include <cstdio>
#include <optional>
#include <vector>

// CHECK: found: stays on the host{{.*}}'optional' has an object with a destructor in a union
static std::optional<std::vector<int>> found(int n) {
  if (n < 2) return std::nullopt;
  std::optional<std::vector<int>> a = cilk_spawn found(n - 1);
  std::optional<std::vector<int>> b = found(n - 2);
  cilk_sync;
  return std::vector<int>(1, (a ? (*a)[0] : 1) + (b ? (*b)[0] : 1));
}
static std::optional<int> number(int n) {
  if (n < 2) return std::nullopt;
  std::optional<int> a = cilk_spawn number(n - 1);
  std::optional<int> b = number(n - 2);
  cilk_sync;
  return a.value_or(1) + b.value_or(1);
}
// CHECK: tasks: 1 of 2 functions, 0 of 0 loops
// RESULT: 89 89
int main() {
  std::printf("%d %d\n", (*found(10))[0], *number(10));
  return 0;
}
