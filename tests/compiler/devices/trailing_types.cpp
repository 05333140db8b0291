// Results whose types are written behind the parameters, and name them.
// RUN: %device-run-and-compare %s -std=c++20
// RUN: %cilk2chan -O0 --device=emulated -std=c++20 --explain %s -o %t.out 2>&1 | FileCheck %s
// CHECK: tasks: 2 of 2 functions
#include <cilk/cilk.h>

#include <cstdio>

static auto sum(int n) -> decltype(n + 0L) {
  if (n < 2) return n;
  long a = cilk_spawn sum(n - 1);
  long b = sum(n - 2);
  cilk_sync;
  return a + b;
}
template <class T>
static auto product(T n) -> decltype(n * 1L) {
  if (n < 2) return n + 1;
  decltype(product(n)) a = cilk_spawn product(n - 1);
  auto b = product(n - 2);
  cilk_sync;
  return a * b % 1009;
}

int main() { std::printf("%ld %ld\n", sum(9), product(9)); }
