// Friends that a class template defines, in several of its instances.
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --device=emulated --explain --emit=tasks %s -o %t.out 2>&1 | FileCheck %s
// CHECK: tasks: 6 of 6 functions, 2 of 2 loops
#include <cilk/cilk.h>
#include <cstdio>
template <class T> class Box {
  T v_[16] = {};
 public:
  Box() = default;
  Box(T x) { for (auto& e : v_) e = x; }
  T at(int i) const { return v_[i]; }
  friend Box operator*(const Box& a, const Box& b) {
    Box out;
    cilk_for (int i = 0; i < 16; ++i) out.v_[i] = a.v_[i] * b.v_[i];
    return out;
  }
  friend Box mix(const Box& a, const Box& b, int n) {
    if (n == 0) return a;
    Box x = cilk_spawn mix(b, a, n - 1);
    Box y = mix(a, b, n - 1);
    cilk_sync;
    Box out;
    for (int i = 0; i < 16; i++) out.v_[i] = x.v_[i] + 2 * y.v_[i];
    return out;
  }
};
template <class T> Box<T> power(const Box<T>& m, unsigned e) {
  if (e == 1) return m;
  Box<T> a = cilk_spawn power(m, e / 2);
  Box<T> b = power(m, e - e / 2);
  cilk_sync;
  return a * b;
}
int main() {
  Box<long> b(2), c(3);
  Box<long> p = power(b, 20);
  Box<long> q = mix(b, c, 5);
  Box<double> r = mix(Box<double>(1.5), Box<double>(0.5), 3);
  Box<double> t = power(Box<double>(1.5), 9);
  std::printf("%ld %ld %g %g\n", p.at(3), q.at(5), r.at(2), t.at(1));
}
