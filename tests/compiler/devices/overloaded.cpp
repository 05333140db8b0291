// An object whose class is made of lambdas, with the class's arguments deduced, made in a task where it is called.
// RUN: %device-run-and-compare %s -std=c++20
// RUN: %cilk2chan --device=cuda --emit=tasks -std=c++20 %s -o %t.cu
// nvcc does not take `(overloaded<...>){...}`.
// RUN: grep -v // %t.cu | not grep "(overloaded<.*>){"
// RUN: grep -v // %t.cu | grep -c " overloaded<.*>{" | FileCheck %s
// CHECK: 3
#include <cilk/cilk.h>

#include <cstdio>

template <class... Parts>
struct overloaded : Parts... {
  using Parts::operator()...;
};
template <class... Parts>
overloaded(Parts...) -> overloaded<Parts...>;

template <class Value>
struct box {
  Value value;
};

static long walk(long n) {
  if (n < 2) {
    long sum = 0;
    const auto add = overloaded{[&](long by) { sum += by; }, [&](double by) { sum -= static_cast<long>(by); }};
    add(n + 5);
    add(2.5);
    overloaded{[&](const box<int>& one) { sum += one.value; }, [&](bool one) { sum += one ? 100 : 0; }}(box{3});
    return sum;
  }
  long a = cilk_spawn walk(n - 1);
  overloaded{[&](long by) { a += 0 * by; }, [](double) {}}(1.0);
  long b = walk(n - 2);
  cilk_sync;
  return a + b;
}

int main() { std::printf("%ld\n", walk(14)); }
