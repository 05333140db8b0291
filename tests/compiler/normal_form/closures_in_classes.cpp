// Members of class templates whose arguments are closures: host code has such an object in the layout that tasks have. A
// loop over a list around a spawn keeps the list's array. Names of a class that no task uses keep no other off.
// RUN: %host-code-run-and-compare -std=c++20 %s
// RUN: %cilk2chan --serial -w -std=c++20 %s -o %t.serial && %t.serial > %t.expected
// RUN: %cilk2chan -w -std=c++20 --explain --device=emulated %s -o %t 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks:
// RUN: env CHANNELS_DEVICE=emulated %t | diff %t.expected -
// RUN: env CHANNELS_ORDER=channels %t | diff %t.expected -
#include <cilk/cilk.h>

#include <cstddef>
#include <cstdio>
#include <new>
#include <utility>

namespace {
struct arena {
  alignas(16) static inline char memory[1 << 12];
  static inline std::size_t used = 0;
  template <class T, class... A>
  static T* make(A&&... a) {
    T* made = new (memory + used) T{std::forward<A>(a)...};
    used += sizeof(T);
    return made;
  }
};
}  // namespace

template <class T>
class tree {
  struct node {
    T value;
    node* left = nullptr;
    node* right = nullptr;
  };
  node* root_ = nullptr;
  template <class F>
  static T fold(const node* n, F& f) {
    if (n == nullptr) return T{};
    T a = cilk_spawn fold(n->left, f);
    T b = fold(n->right, f);
    cilk_sync;
    return f(a, n->value, b);
  }

 public:
  void insert(T value) {
    node** at = &root_;
    while (*at != nullptr) at = value < (*at)->value ? &(*at)->left : &(*at)->right;
    *at = arena::make<node>(value);
  }
  template <class F>
  T fold(F f) const {
    return fold(root_, f);
  }
};

template <class F>
struct recursive {
  F f;
  template <class... A>
  decltype(auto) operator()(A&&... a) const {
    return f(*this, std::forward<A>(a)...);
  }
};
template <class F>
recursive(F) -> recursive<F>;

template <class F>
struct memo {
  F f;
  long factor;
  long run(int n) const {
    if (n < 2) return f(n);
    long a = cilk_spawn run(n - 1);
    long b = run(n - 2);
    cilk_sync;
    return a * factor + b + f(n);
  }
};
template <class F>
memo(F, long) -> memo<F>;

static int steps(int n) {
  if (n < 2) return n;
  int sum = 0;
  int found[3];
  int at = 0;
  for (auto [less, more] : {std::pair{1, 3}, {2, 5}, {3, 7}}) {
    found[at++] = cilk_spawn steps(n - less);
    if (n % more == 0) cilk_sync;
  }
  for (int one : {1, 2, 3}) sum += one;
  cilk_sync;
  for (int one : found) sum += one;
  return sum;
}

int main() {
  tree<long> t;
  for (long i = 0; i < 40; ++i) t.insert(i * 17 % 41);
  std::printf("%ld\n", t.fold([](long l, long v, long r) { return (l * 31 + v * 7 + r) % 1000003; }));
  long scale = 3;
  memo one{[k = 3, scale](int n) { return n * k + scale; }, 2};
  memo other{[](int n) { return n + 1L; }, 3};
  std::printf("%ld %ld\n", one.run(9), other.run(9));
  auto binomial = recursive{[](auto const& self, int n, int k) -> long {
    if (k == 0 || k == n) return 1;
    long l = cilk_spawn self(n - 1, k - 1);
    long r = cilk_spawn self(n - 1, k);
    cilk_sync;
    return l + r;
  }};
  std::printf("%ld %d\n", binomial(10, 4), steps(11));
}
