// What lambdas capture and how they reach tasks: by copy and by reference, `this`, other lambdas, constants; two on one line,
// one template with several of them, and as members of a class template. A template that gets a lambda of another template
// is a task with that one.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --explain --device=emulated --emit=tasks %s -o %t.explained 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks: 17 of 17 functions, 1 of 1 loops
#include <cilk/cilk.h>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>
struct counter {
  long v = 0;
  long next() { return ++v; }
};
template <class F>
long twice(int n, F& f) {
  if (n == 0) return f(n);
  long a = cilk_spawn twice(n - 1, f);
  cilk_sync;
  long b = twice(n - 1, f);
  return a * 3 + b;
}
template <class F, class G>
long both(int n, F f, const G& g) {
  if (n < 2) return f(n) - g(n);
  long a = cilk_spawn both(n - 1, f, g);
  long b = both(n - 2, g, f);
  cilk_sync;
  return a + b;
}
template <class T, int N, class F>
T fold(const T (&a)[N], int lo, int hi, F f) {
  if (hi - lo == 1) return a[lo];
  T x = cilk_spawn fold(a, lo, (lo + hi) / 2, f);
  T y = fold(a, (lo + hi) / 2, hi, f);
  cilk_sync;
  return f(x, y);
}
template <class F>
struct holder {
  F f;
  long run(int n) const {
    if (n == 0) return f(1);
    long a = cilk_spawn run(n - 1);
    long b = f(n);
    cilk_sync;
    return a + b;
  }
};
class account {
  long total_ = 3;
  int rate_ = 2;

 public:
  long grow(int n) {
    auto step = [this](int k) mutable {
      rate_ += 0;
      return total_ * k + rate_;
    };
    if (n == 0) return step(1);
    long a = cilk_spawn grow(n - 1);
    long b = cilk_spawn grow(n / 2);
    cilk_sync;
    return (a + b + step(n)) % 100003;
  }
};
long mixed(int n, long& out) {
  const int k = 7;
  static const int table[] = {3, 1, 4};
  enum class color { red, blue = 5 };
  struct pair {
    long a;
    int b;
  } p{n, 2};
  auto f = [&, c = p.b](auto x) { return x * k + c + (long)color::blue + p.a; };
  auto g = [f, &out](int x) { return f(x) + f((short)1) + out * 0; };
  if (n <= 0) return g(2) + table[0];
  long x = cilk_spawn mixed(n - 1, out);
  p.a += 2;
  for (int i = 0; i < 3; ++i) {
    auto h = [i, &p](int y) { return i * y + p.b; };
    p.b += h(i);
    if (i == 1) {
      long q = cilk_spawn mixed(n - 2, out);
      cilk_sync;
      p.a += q % 5;
    }
  }
  cilk_sync;
  return (x + g(n) + p.b) % 1000003;
}
template <class F>
void for_all(int lo, int hi, const F& f) {
  if (hi - lo == 1) return f(lo);
  cilk_spawn for_all(lo, (lo + hi) / 2, f);
  for_all((lo + hi) / 2, hi, f);
}
template <class F>
void tabulate(long* v, int n, F f) {
  for_all(0, n, [&](int i) { v[i] = f(i); });
}
template <class F>
long total(int n, F f) {
  long v[8] = {0};
  tabulate(v, n, [&](int i) { return f(i) * 2; });
  return v[0] + v[1] * 3 + v[n - 1] * 9;
}
int main() {
  long base = 5;
  int scale = 2;
  auto f = [&base, scale](int n) { return base * scale + n; };
  long seen = 0;
  auto count = [&seen](int n) {
    seen += n + 1;
    return seen;
  };
  long r1 = twice(5, count);
  base = 6;
  long r2 = both(
           8, [=](int n) { return base + n; }, [&](int n) { return base * scale - n; }),
       r3 = both(7, f, [](int n) { return n; });
  int a[] = {4, 9, 2, 7, 5, 3};
  double d[] = {1.5, 2.5, 0.25};
  int r4 = fold(a, 0, 6, [](int x, int y) { return x > y ? x : y; });
  double r5 = fold(d, 0, 3, [scale](double x, double y) { return x * scale + y; });
  auto hf = [base](int n) { return base * n; };
  holder<decltype(hf)> h{hf};
  account acc;
  long out = 9;
  std::vector<std::string> names{"a", "bb", "ccc"};
  std::vector<long> lens(3);
  cilk_for(int i = 0; i < 3; ++i) {
    auto len = [&](const std::string& s) -> long { return s.size() * 10 + i; };
    lens[i] = len(names[i]);
  }
  long r6 = 0;
  {
    auto run = [&](int n) { return mixed(n, out) + seen; };
    long x = cilk_spawn run(4);
    long y = run(5);
    cilk_sync;
    r6 = x * 2 + y;
  }
  long table[5];
  tabulate(table, 5, [base](int i) { return base + i; });
  printf("%ld %ld\n", table[3], total(6, hf));
  printf("%ld %ld %ld %d %g %ld %ld %ld %ld %ld %ld\n", r1, r2, r3, r4, r5, h.run(5), acc.grow(6), mixed(6, out),
         lens[0] + lens[1] * 3 + lens[2] * 7, r6, seen);
}
