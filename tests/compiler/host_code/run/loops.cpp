// cilk_for in C++: integers, pointers, iterators, in templates, lambdas and member functions.
// RUN: %host-code-run-and-compare %s 
#include <cilk/cilk.h>
#include <iostream>
#include <numeric>
#include <vector>
#include <deque>
#include <cmath>
struct S { std::vector<int> v; int k = 2; void go() { cilk_for (size_t i = 0; i < v.size(); ++i) v[i] = k * int(i); } };
template <class It, class F> void each(It b, It e, F f) { cilk_for (It it = b; it != e; ++it) f(*it); }
template <class T> void fill(std::vector<T>& v, T x) { cilk_for (auto i = v.begin(); i < v.end(); i += 1) *i = x; }
int sq(int x) { return x * x; }
int main() {
  S s; s.v.resize(20); s.go();
  each(s.v.begin(), s.v.end(), [](int& x) { x += 1; });
  std::vector<long> w(5); fill(w, 7L);
  std::deque<int> d(9);
  cilk_for (auto it = d.rbegin(); it != d.rend(); ++it) *it = int(it - d.rbegin());
  int arr[10]{}; auto [p, q] = std::pair{3, 4};
  cilk_for (int i = 9; i >= 0; --i) { arr[i] = cilk_spawn sq(i); if (i == 4) continue; cilk_sync; arr[i] += p + q; }
  cilk_for (int* x = arr; x < arr + 10; x += 3) *x += 100;
  int i;
  cilk_for (i = 0; i < 10; i += 4) arr[i] += 1000;
  std::cout << i << ' ';
  auto lam = [&](int n) { int r = 0; cilk_for (int j = 0; j < n; ++j) { arr[j] -= 1; } return r + arr[0]; };
  std::cout << lam(3) << '\n';
  cilk_for (unsigned char c = 250; c > 240; c -= 2) arr[c - 241] += 1;
  cilk_for (int k = 0; k <= std::sqrt(9.0); ++k) arr[k] += 5;
  cilk_for (int a = 0; a < 3; ++a) cilk_for (int b = 0; b < 3; ++b) arr[a * 3 + b]++;
  const char* names[2];
  cilk_for (int k = 0; k < 2; ++k) names[k] = __func__;
  std::cout << names[1] << ' ';
  for (int x : s.v) std::cout << x << ' '; for (auto x : w) std::cout << x << ' '; for (int x : d) std::cout << x << ' ';
  for (int x : arr) std::cout << x << ' ';
  std::cout << '\n';
}
