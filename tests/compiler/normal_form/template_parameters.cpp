// Templates by the kinds of their parameters: numbers of types that are deduced, pointers, functions, references,
// packs, what has no name; and members that are constant.
// RUN: %device-run-and-compare %s -std=c++20
// RUN: %cilk2chan -O0 --device=emulated -std=c++20 -w --explain %s -o %t.out 2>&1 | FileCheck %s
// CHECK: tasks: 19 of 19 functions
#include <cilk/cilk.h>

#include <cstdio>
#include <type_traits>

enum class state : unsigned char { low = 1, high = 250 };
static int table[3] = {4, 5, 6};
static constexpr int nine = 9;
static int add_one(int x) { return x + 1; }
struct limits {
  static const int leaf = 2;
};

template <auto Value>
static long deduced(int n) {
  if (n < limits::leaf) return static_cast<long>(Value) + n;
  long a = cilk_spawn deduced<Value>(n - 1);
  long b = deduced<Value>(n - 2);
  cilk_sync;
  return a + b;
}
template <int* Place>
static long pointer(int n) {
  if (n < 2) return Place[n];
  long a = cilk_spawn pointer<Place>(n - 1);
  long b = pointer<Place>(n - 2);
  cilk_sync;
  return a + b;
}
template <int (*Function)(int)>
static long function(int n) {
  if (n < 2) return Function(n);
  long a = cilk_spawn function<Function>(n - 1);
  long b = function<Function>(n - 2);
  cilk_sync;
  return a + b;
}
template <const int& Number>
static long reference(int n) {
  if (n < 2) return Number + n;
  long a = cilk_spawn reference<Number>(n - 1);
  long b = reference<Number>(n - 2);
  cilk_sync;
  return a + b;
}
template <int... Numbers>
static long pack(int n) {
  if (n < 2) return (Numbers + ... + n);
  long a = cilk_spawn pack<Numbers...>(n - 1);
  long b = pack<Numbers...>(n - 2);
  cilk_sync;
  return a + b;
}
template <class... Types>
static long total(int n, Types... values) {
  if (n < 2) return static_cast<long>((values * ... * (n + 1)));
  long a = cilk_spawn total(n - 1, values...);
  long b = total(n - 2, values...);
  cilk_sync;
  return a + b;
}
static long abbreviated(auto n) {
  if (n < 2) return n * static_cast<long>(sizeof n);
  long a = cilk_spawn abbreviated(static_cast<decltype(n)>(n - 1));
  long b = abbreviated(static_cast<decltype(n)>(n - 2));
  cilk_sync;
  return a + b;
}
template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
static long chosen(T n) {
  if (n < 2) return n * 3;
  long a = cilk_spawn chosen(n - 1);
  long b = chosen(n - 2);
  cilk_sync;
  return a + b;
}
template <class T, std::enable_if_t<!std::is_integral_v<T>, int> = 0>
static long chosen(T n) {
  if (n < 2) return static_cast<long>(n * 7);
  long a = cilk_spawn chosen(n - 1);
  long b = chosen(n - 2);
  cilk_sync;
  return a + b;
}

int main() {
  std::printf("%ld %ld %ld %ld\n", deduced<5>(9), deduced<-5L>(9), deduced<state::high>(9), deduced<true>(9));
  std::printf("%ld %ld %ld\n", deduced<static_cast<unsigned short>(65535)>(9), deduced<static_cast<signed char>(-1)>(9), deduced<'x'>(9));
  std::printf("%ld %ld %ld\n", pointer<table>(9), function<add_one>(9), reference<nine>(9));
  std::printf("%ld %ld %ld\n", pack<1, 2, 3>(9), pack<7>(9), pack<-1, 4>(9));
  std::printf("%ld %ld\n", total(9, 1, 2L, 3), total(9, 1.5));
  std::printf("%ld %ld\n", abbreviated(9), abbreviated(static_cast<short>(9)));
  std::printf("%ld %ld\n", chosen(9), chosen(9.5));
}
