// Functions that are written twice, in C++: namespaces, overloads, results with destructors, exceptions.
// RUN: %host-code-run-and-compare %s
#include <cilk/cilk.h>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

static void empty(void* view) { new (view) std::string(); }
static void join(void* left, void* right) {
  auto* from = static_cast<std::string*>(right);
  static_cast<std::string*>(left)->append(*from);
  from->~basic_string();
}
static std::string cilk_reducer(empty, join) seen;

namespace outer { namespace {
long fib(int n) { if (n < 2) return n; long x = cilk_spawn fib(n - 1); long y = fib(n - 2); cilk_sync; return x + y; }
std::string fib(const std::string& s, int n) noexcept(false) {
  if (n == 0) { seen += s; return s + "."; }
  std::string x = cilk_spawn fib(s + "l", n - 1);
  auto y = fib(s + "r", n - 1);
  cilk_sync;
  return x + y;
}
struct counted {
  static inline long alive = 0;
  int value = 0;
  counted(int v) : value(v) { __atomic_add_fetch(&alive, 1, __ATOMIC_RELAXED); }
  counted(const counted& o) : counted(o.value) {}
  counted(counted&& o) noexcept : counted(o.value) {}
  counted& operator=(const counted&) = default;
  ~counted() { __atomic_sub_fetch(&alive, 1, __ATOMIC_RELAXED); }
};
counted sum(const counted& a, int n) {
  if (n == 0) return a;
  counted left(1);
  const counted mine(a.value + n);
  left = cilk_spawn sum(mine, n - 1);
  counted right = sum(counted(n), n - 1);
  cilk_sync;
  return counted(left.value + right.value);
}
int deep(int n, std::vector<int>& order) {
  if (n == 0) throw std::runtime_error("bottom");
  if (n < 0) return n;
  int x = 0, y = 0;
  std::vector<int> mine{n};
  try {
    x = cilk_spawn deep(n - 2, order);
    y = n % 3 == 0 ? deep(n - 3, order) : deep(-1, order);
    cilk_sync;
  } catch (const std::runtime_error& e) {
    x = y = 0;
    mine.push_back(static_cast<int>(std::string(e.what()).size()));
    if (n % 4 == 0) throw;
  }
  return x + y + static_cast<int>(mine.size());
}
} }  // namespace
extern "C" {
int external(int n) { if (n < 1) return 1; int x = cilk_spawn external(n - 1), y = external(n - 2); cilk_sync; return x - 2 * y; }
}
extern "C" int single(int n) { if (n < 1) return 1; int x = cilk_spawn single(n - 1); int y = single(n - 3); cilk_sync; return x + y; }
int later(int n, int more = 1);
int later(int n, int more) { if (n < 1) return more; int x = cilk_spawn later(n - 1); int y = later(n - 2, more + 1); cilk_sync; return x + y; }
// Not these.
template <class T> T generic(T n) { if (n < 2) return n; T x = cilk_spawn generic(n - 1); T y = generic(n - 2); cilk_sync; return x + y; }
struct object {
  int base;
  int member(int n) { if (n < 2) return base; int x = cilk_spawn member(n - 1); int y = member(n - 2); cilk_sync; return x + y; }
};
int moved(std::string&& s, int n) {
  if (n == 0) return static_cast<int>(s.size());
  int x = cilk_spawn moved(s + "x", n - 1);
  int y = moved(std::move(s), n - 1);
  cilk_sync;
  return x + y;
}
int lambdas(int n) {
  if (n < 2) return n;
  const auto both = [n] { int x = cilk_spawn lambdas(n - 1); int y = lambdas(n - 2); cilk_sync; return x + y; };
  int x = cilk_spawn lambdas(n - 3);
  int y = both();
  cilk_sync;
  return x + y;
}

int main() {
  std::vector<int> order;
  std::printf("%ld %s\n", outer::fib(16), outer::fib("", 4).c_str());
  std::printf("%s\n", seen.c_str());
  std::printf("%d\n", outer::sum(outer::counted(3), 8).value);
  std::printf("%ld\n", outer::counted::alive);
  for (int n = 1; n < 14; ++n) {
    try { std::printf("%d ", outer::deep(n, order)); } catch (const std::exception& e) { std::printf("%s ", e.what()); }
  }
  object o{3};
  std::printf("%d %d %d %d %d %d %d\n", external(10), single(10), later(8), generic(12), o.member(10), moved("m", 6), lambdas(12));
}
