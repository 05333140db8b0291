// Every form of spawn in C++: callees, ways to pass arguments, templates, exceptions, lifetimes.
// RUN: %host-code-run-and-compare %s 
#include <cilk/cilk.h>
#include <algorithm>
#include <atomic>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace alg {
long fib(int n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}
template <class It> void qsort(It b, It e) {
  if (e - b < 2) return;
  auto p = *b;
  It m = std::partition(b + 1, e, [&](const auto& v) { return v < p; });
  std::iter_swap(b, m - 1);
  cilk_spawn qsort(b, m - 1);
  qsort(m, e);
}
template <class T> T total(const std::vector<T>& v, size_t a, size_t b) {
  if (b - a == 0) return T();
  if (b - a == 1) return v[a];
  T l = cilk_spawn total(v, a, (a + b) / 2);
  auto r = cilk_spawn total<T>(v, (a + b) / 2, b);
  cilk_sync;
  return l + r;
}
}

struct Tracer {
  static std::atomic<int> live;
  int v;
  explicit Tracer(int v = 0) : v(v) { ++live; }
  Tracer(const Tracer& o) : v(o.v) { ++live; }
  Tracer(Tracer&& o) noexcept : v(o.v) { o.v = -1; ++live; }
  Tracer& operator=(const Tracer&) = default;
  ~Tracer() { --live; }
};
std::atomic<int> Tracer::live = 0;

struct NoDefault { int v; NoDefault(int v) : v(v) {} };
NoDefault nd(int v) { return NoDefault(v); }

struct Base { virtual ~Base() = default; virtual int f(int x) { return x; } };
struct Derived : Base { int k = 3; int f(int x) override { return x * k; } };

class Counter {
  int n_ = 0;
  long deep(int n) const {
    if (n < 2) return n;
    long a, b;
    a = cilk_spawn deep(n - 1);
    b = cilk_spawn this->deep(n - 2);
    cilk_sync;
    return a + b;
  }
 public:
  void bump(int by) { n_ += by; }
  int get() const { return n_; }
  static int twice(int x) { return 2 * x; }
  long run(int n) { long r = cilk_spawn deep(n); int t = cilk_spawn twice(n); cilk_sync; return r + t; }
  int operator()(int x) const { return x + n_; }
};

int over(int x) { return x; }
int over(double x) { return int(x * 10); }
int over(const std::string& s) { return int(s.size()); }
int over(std::string& s) { return -int(s.size()); }
std::string cat(std::string a, const std::string& b) { return a + b; }
int takes(std::unique_ptr<int> p) { return *p; }
void set(int& r, int v) { r = v; }
int tr(Tracer t) { return t.v; }
Tracer mk(int v) { return Tracer(v); }
int list(std::vector<int> v) { return std::accumulate(v.begin(), v.end(), 0); }
int ptr(int* p) { return p ? *p : -1; }
int fn(std::function<int(int)> f, int x) { return f(x); }
int sv(const char* s) { return int(std::string(s).size()); }
std::unique_ptr<int> box(int x) { return std::make_unique<int>(x); }
int thrower(int x) { if (x > 2) throw std::runtime_error("x" + std::to_string(x)); return x; }
std::pair<int, int> two(int a) { return {a, a + 1}; }
int dflt(int a, int b = 5) { return a + b; }
template <class F> int apply(F f, int n) { int r = cilk_spawn f(n); cilk_sync; return r; }
template <class... A> int all(A... a) { int r = cilk_spawn over(a...); cilk_sync; return r; }
template <class T> struct Box {
  T v{};
  T get(int n) { if (n == 0) return v; T a = cilk_spawn get(n - 1); T b = cilk_spawn this->get(n - 1); cilk_sync; return a + b; }
};

int tries(int n) {
  int got = 0, a = 0, b = 0;
  try {
    a = cilk_spawn thrower(n);
    b = cilk_spawn thrower(n + 1);
    cilk_sync;
    got = a + b;
  } catch (const std::exception& e) {
    got = -n - int(std::string(e.what()).size());
  }
  return got;
}
int implicit_sync(int n) {
  std::vector<int> v(4);
  for (int i = 0; i < 4; i++) v[i] = cilk_spawn alg::fib(i + n);
  cilk_sync;
  return v[0] + v[3];
}
int locals(int n) {
  std::vector<int> v(4);
  for (int i = 0; i < 4; i++) cilk_spawn set(v[i], i * n);
  return n;  // v outlives its users
}

int main() {
  std::cout << alg::fib(15) << '\n';
  std::vector<int> v(1000);
  for (int i = 0; i < 1000; i++) v[i] = i * 7919 % 1000;
  alg::qsort(v.begin(), v.end());
  std::cout << std::is_sorted(v.begin(), v.end()) << ' ' << alg::total(v, 0, v.size()) << '\n';
  std::vector<std::string> ss{"a", "bc", "d"};
  std::cout << alg::total(ss, 0, 3) << '\n';
  Counter c; Counter* pc = &c; auto sp = std::make_shared<Counter>();
  cilk_spawn c.bump(3);
  cilk_sync;
  cilk_spawn pc->bump(4);
  cilk_spawn sp->bump(9);
  cilk_sync;
  int cc = cilk_spawn c(10), st = cilk_spawn Counter::twice(4);
  cilk_sync;
  std::cout << c.get() << ' ' << sp->get() << ' ' << c.run(10) << ' ' << cc << ' ' << st << '\n';
  Derived d; Base* pb = &d; Base& rb = d;
  int vf = cilk_spawn pb->f(5), vr = cilk_spawn rb.f(6);
  std::string s = "lv";
  const int o1 = cilk_spawn over(3);
  int o2 = cilk_spawn over(2.5), o3 = cilk_spawn over("xyz"), o4 = cilk_spawn over(s), o5{cilk_spawn over(std::string("q"))};
  auto s2 = cilk_spawn cat(s, "tmp" + s);
  std::string s3;
  s3 = cilk_spawn cat("a", "b");
  cilk_sync;
  s3 += cilk_spawn cat("c", "d");
  s3 += cilk_spawn cat("e", s);
  cilk_sync;
  std::cout << vf << vr << ' ' << o1 << o2 << o3 << o4 << o5 << s2 << s3 << '\n';
  auto p = std::make_unique<int>(42);
  int t1 = cilk_spawn takes(std::move(p)), t2 = cilk_spawn takes(std::make_unique<int>(7));
  cilk_sync;
  int ref; cilk_spawn set(ref, 5);
  NoDefault x = cilk_spawn nd(4);
  std::unique_ptr<int> bx = cilk_spawn box(11);
  auto tw = cilk_spawn two(8);
  cilk_sync;
  std::cout << t1 << t2 << ref << x.v << *bx << tw.second << '\n';
  {
    Tracer a(5), b = cilk_spawn mk(6);
    int q1 = cilk_spawn tr(a), q2 = cilk_spawn tr(Tracer(9)), q3 = cilk_spawn tr(mk(4));
    cilk_sync;
    std::cout << q1 << q2 << q3 << b.v << ' ';
  }
  std::cout << Tracer::live << '\n';
  int l = cilk_spawn list({1, 2, 3}), np = cilk_spawn ptr(nullptr), nz = cilk_spawn ptr(0);
  int k = 10;
  auto lam = [&](int y) { int r = cilk_spawn over(y + k); cilk_sync; return r; };
  int f1 = cilk_spawn fn(lam, 2), f2 = cilk_spawn lam(3), f3 = cilk_spawn [&k](int z) { return z + k; }(4);
  int f4 = cilk_spawn sv(std::string("temporary").c_str());
  int f5 = cilk_spawn dflt(2);
  std::function<int(int)> sf = lam;
  int f6 = cilk_spawn sf(5);
  cilk_sync; cilk_spawn [&] { k++; }();
  cilk_sync;
  std::cout << l << np << nz << f1 << f2 << f3 << f4 << f5 << f6 << k << '\n';
  std::cout << apply(lam, 4) << apply(c, 3) << all(3) << Box<int>{2}.get(3) << Box<std::string>{"x"}.get(2) << '\n';
  for (int i = 0; i < 5; i++) std::cout << tries(i) << ' ';
  std::cout << implicit_sync(5) << locals(3) << '\n';
  int (Counter::*pm)() const = &Counter::get;
  int mm = cilk_spawn (c.*pm)();
  std::map<int, int> mp;
  mp[3] = cilk_spawn over(3);
  std::vector<bool> vb(3);
  vb[1] = cilk_spawn over(1);
  auto gen = [](auto z) { auto r = cilk_spawn over(z); cilk_sync; return r; };
  cilk_sync;
  std::cout << mm << mp[3] << vb[1] << gen(3) << gen(2.0) << gen(std::string("four")) << '\n';
  try { int z = cilk_spawn thrower(7); cilk_sync; std::cout << z; } catch (std::exception& e) { std::cout << e.what() << '\n'; }
}
