// Reducers in C++: class types, members, templates, lambdas as identity.
// RUN: %host-code-run-and-compare %s 
#include <cilk/cilk.h>
#include <iostream>
#include <string>
#include <vector>
#include <new>
template <class T> void zero(void* v) { *static_cast<T*>(v) = T(); }
template <class T> void add(void* l, void* r) { *static_cast<T*>(l) += *static_cast<T*>(r); }
template <class T> void make(void* v) { new (v) T(); }
template <class T> void cat(void* l, void* r) { *static_cast<T*>(l) += *static_cast<T*>(r); static_cast<T*>(r)->~T(); }
using opadd = int cilk_reducer(zero<int>, add<int>);
std::string cilk_reducer(make<std::string>, cat<std::string>) out;
opadd cnt = 0;
struct Tally {
  static void id(void* v) { *(long*)v = 1; }
  static void mul(void* l, void* r) { *(long*)l = *(long*)l * *(long*)r % 1000007; }
  long cilk_reducer(id, mul) prod = 1;
  int cilk_reducer(zero<int>, add<int>) n{0};
  void run(int k) { cilk_for (int i = 1; i <= k; ++i) { prod = prod * i % 1000007; ++n; } }
};
template <class T> T tsum(T n) {
  T cilk_reducer(zero<T>, add<T>) s = T(0);
  cilk_for (int i = 0; i < int(n); ++i) { s += T(i); }
  auto copy = s;
  return copy;
}
void walk(int lo, int hi) {
  if (hi - lo == 1) { out += std::to_string(lo) + ","; cnt++; return; }
  cilk_spawn walk(lo, (lo + hi) / 2);
  walk((lo + hi) / 2, hi);
}
int nested(int n) {
  std::string cilk_reducer(make<std::string>, cat<std::string>) s = "<";
  int cilk_reducer([](void* v) { *(int*)v = 0; }, [](void* l, void* r) { *(int*)l += *(int*)r; }) c = 0;
  cilk_for (int i = 0; i < n; ++i) { s.append(1, char('a' + i)); c += i; }
  std::vector<int> v;
  auto f = [&] { s += ">"; return int(s.size()) * 1000; };
  return f() + c + s[1];
}
int rec(int n) { if (n < 2) return nested(n + 4); int a = cilk_spawn rec(n - 1); int b = rec(n - 2); cilk_sync; return a + b; }
int main() {
  walk(0, 60);
  std::cout << out << cnt << '\n';
  Tally t; t.run(30); static Tally u; u.run(10);
  std::cout << t.prod << ' ' << t.n << ' ' << u.prod << ' ' << tsum(10) << ' ' << tsum(5.0) << ' ' << rec(9) << '\n';
}
