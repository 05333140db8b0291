// Packs around spawns: fold expressions, expansions, and instances whose packs are empty. Bindings of a loop over a range,
// friends of a class alone, objects that are called with default arguments, and spawns in parentheses.
// RUN: %host-code-run-and-compare -std=c++20 %s
// RUN: %cilk2chan --serial -w -std=c++20 %s -o %t.serial && %t.serial > %t.expected
// RUN: %cilk2chan -w -std=c++20 --explain --device=emulated %s -o %t 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks:
// RUN: env CHANNELS_DEVICE=emulated %t | diff %t.expected -
// RUN: env CHANNELS_ORDER=channels %t | diff %t.expected -
#include <cilk/cilk.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

template <class F>
static void call_it(F& f) {
  f();
}
template <class... F>
static void all_of(F&&... f) {
  (cilk_spawn call_it(f), ...);
  cilk_sync;
}
template <class F, class... R>
static void one_by_one(F&& f, R&&... rest) {
  if constexpr (sizeof...(rest) == 0) {
    f();
  } else {
    cilk_spawn call_it(f);
    one_by_one(std::forward<R>(rest)...);
    cilk_sync;
  }
}
template <class T, std::size_t N, class F, std::size_t... I>
static std::array<T, N> generated(F f, std::index_sequence<I...>) {
  std::array<T, N> a{};
  ((a[I] = cilk_spawn f(I)), ...);
  cilk_sync;
  return a;
}

struct square {
  static long value(long n) { return n * n; }
};
struct fib {
  static long value(long n) {
    if (n < 2) return n;
    long a = cilk_spawn value(n - 1);
    long b = value(n - 2);
    cilk_sync;
    return a + b;
  }
};
template <int K>
struct power {
  static long value(long n) {
    if constexpr (K == 0) {
      return 1;
    } else {
      long h = cilk_spawn power<K / 2>::value(n);
      cilk_sync;
      return K % 2 ? h * h * n : h * h;
    }
  }
};
template <class... Ts>
struct sum;
template <>
struct sum<> {
  static long of(long) { return 0; }
};
template <class T, class... Ts>
struct sum<T, Ts...> {
  static long of(long n) {
    long a = cilk_spawn T::value(n);
    long b = sum<Ts...>::of(n);
    cilk_sync;
    return a + b;
  }
};

template <class Tuple, class F, std::size_t I = 0>
static void for_each_of(Tuple& t, F& f) {
  if constexpr (I < std::tuple_size_v<Tuple>) {
    cilk_spawn f(std::get<I>(t));
    for_each_of<Tuple, F, I + 1>(t, f);
  }
}

#define CHILD(x) cilk_spawn x
template <class T, int N>
static long weighed(const T (&a)[N], int lo, int hi) {
  if (hi - lo < 2) return a[lo];
  long first = CHILD((weighed<T, N>(a, lo, (lo + hi) / 2)));
  long rest = weighed<T, N>(a, (lo + hi) / 2, hi);
  cilk_sync;
  long pairs = 0;
  for (const auto& [key, value] : std::array<std::pair<int, long>, 2>{{{lo, 3}, {hi, -2}}})
    pairs += key * value;
  return first * 3 + rest + pairs;
}

static std::optional<std::pair<int, int>> find(const int* a, int lo, int hi, int wanted) {
  if (hi - lo == 1) {
    if (a[lo] == wanted) return std::pair{lo, a[lo]};
    return {};
  }
  auto left = cilk_spawn find(a, lo, (lo + hi) / 2, wanted);
  auto right = find(a, (lo + hi) / 2, hi, wanted);
  cilk_sync;
  return left ? left : right;
}
static std::pair<int, long> twice(int n) { return {n, n * 2L}; }

class point {
  int x, y;

 public:
  point(int x, int y) : x(x), y(y) {}
  friend long norm(const point& p) { return p.x * 10L + p.y; }
};
static long norms(int n) {
  if (n < 2) return norm(point(n, 3));
  auto pair = cilk_spawn twice(n);
  long a = cilk_spawn norms(n - 1);
  long b = norms(n - 2);
  cilk_sync;
  return a * 2 + b + pair.first + pair.second + norm(point(n, n));
}
static void sorted(std::span<int> s) {
  if (s.size() < 8) {
    std::ranges::sort(s);
    return;
  }
  const int pivot = s[s.size() / 2];
  auto middle = std::partition(s.begin(), s.end(), [pivot](int x) { return x < pivot; });
  auto behind = std::partition(middle, s.end(), [pivot](int x) { return !(pivot < x); });
  cilk_spawn sorted(s.first(middle - s.begin()));
  cilk_spawn sorted(s.last(s.end() - behind));
}

int main() {
  long a = 0, b = 0, c = 0;
  all_of([&] { a = fib::value(12); }, [&] { b = square::value(10); }, [&] { c = power<9>::value(3); });
  std::printf("%ld %ld %ld\n", a, b, c);
  one_by_one([&] { a = 1; }, [&] { b = 2; }, [&] { c = 3; }, [] {});
  std::printf("%ld %ld %ld\n", a, b, c);
  auto cubes = generated<long, 10>([](std::size_t i) { return long(i * i * i); },
                                   std::make_index_sequence<10>{});
  long digits = 0;
  for (long x : cubes) digits = digits * 3 + x;
  std::printf("%ld %ld\n", digits, sum<square, fib, power<5>, power<2>>::of(9));
  std::tuple<int, long, short, double> t{3, 4L, short(5), 6.5};
  auto doubled = [](auto& x) { x = static_cast<std::remove_reference_t<decltype(x)>>(x * 2 + sizeof x); };
  for_each_of(t, doubled);
  std::printf("%d %ld %d %g\n", std::get<0>(t), std::get<1>(t), std::get<2>(t), std::get<3>(t));
  const int some[] = {3, 1, 4, 1, 5};
  auto found = find(some, 0, 5, 4);
  std::printf("%ld %d %d\n", weighed(some, 0, 5), found->first, find(some, 0, 5, 9).has_value());
  int numbers[60];
  for (int i = 0; i < 60; ++i) numbers[i] = i * 37 % 61;
  sorted(numbers);
  std::printf("%ld %d %d\n", norms(8), numbers[7], std::is_sorted(numbers, numbers + 60));
}
