// The same in C++: pointers to overloaded functions, of namespaces and classes, to instances of templates; pointers that
// templates and members get; references and objects that are passed through them.
// RUN: %host-code-run-and-compare %s -std=c++20
// RUN: %device-run-and-compare %s -std=c++20
// RUN: %cilk2chan -std=c++20 --device=emulated --explain --emit=tasks %s -o %t.out 2>&1 | FileCheck %s
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_ORDER=channels CHANNELS_STATS=1 %t.lowered 2>&1 | FileCheck --check-prefix=CHANNELS %s
// CHECK-NOT: stays on the host
// CHECK-DAG: trees::weigh: tasks on a device call it as a task
// CHECK-DAG: trees::label: tasks on a device may call it through a pointer
// CHECK: tasks: 23 of 23 functions, 1 of 1 loops
// CHANNELS-DAG: {{^}}weigh {{.*}} {{[1-9][0-9]+$}}
// CHANNELS-DAG: {{^}}power {{.*}} {{[1-9][0-9]+$}}
// CHANNELS-DAG: {{^}}smooth {{.*}} {{[1-9][0-9]+$}}
// CHANNELS-DAG: {{^}}ways {{.*}} {{[1-9][0-9]+$}}
// CHANNELS-DAG: {{^}}bisect {{.*}} {{[1-9][0-9]+$}}
// CHANNELS-DAG: {{^}}join {{.*}} {{[1-9][0-9]+$}}
#include <cilk/cilk.h>

#include <cstdio>
#include <string>
#include <vector>

namespace trees {
struct tree {
  int key;
  const tree *left, *right;
};
using measure = long (*)(const tree*, int);

long weigh(const tree* t, int depth) noexcept {
  if (t == nullptr) return depth;
  long a = cilk_spawn weigh(t->left, depth + 1);
  long b = weigh(t->right, depth + 1);
  cilk_sync;
  return (a + b + t->key) % 100003;
}
// Of the same name, with another type.
long weigh(const tree* t) { return t == nullptr ? 0 : weigh(t, 1); }
static long label(const tree* t, int depth) { return t == nullptr ? 0 : t->key * depth; }

// Calls the function at each node, which may make tasks of its own.
static long all_nodes(const tree* t, measure of, int depth) {
  if (t == nullptr) return 0;
  long a = cilk_spawn all_nodes(t->left, of, depth + 1);
  long b = cilk_spawn all_nodes(t->right, of, depth + 1);
  long own = of(t, depth) + (of == static_cast<measure>(weigh));
  cilk_sync;
  return a + b + own;
}
}  // namespace trees

// Functions of a class, and members that are pointers.
class integrator {
 public:
  using function = double (*)(double, int);

  static double power(double x, int n) {
    if (n < 2) return n == 0 ? 1 : x;
    double a = cilk_spawn power(x, n / 2);
    double b = power(x, n - n / 2);
    cilk_sync;
    return a * b;
  }
  static double line(double x, int n) { return x * n; }
  integrator(function f, int n) : f_(f), n_(n) {}
  double area(double from, double to) const { return bisect(from, to, n_); }

 private:
  double bisect(double from, double to, int deep) const {
    if (deep == 0) return f_((from + to) / 2, n_) * (to - from);
    double half = (from + to) / 2;
    double a = cilk_spawn bisect(from, half, deep - 1);
    double b = bisect(half, to, deep - 1);
    cilk_sync;
    return a + b;
  }
  function f_;
  int n_;
};

// A function that a template gets, as a value and as an argument of its own, and instances of one.
template <class F>
static int count(int low, int high, F f) {
  if (high - low == 1) return f(low);
  int a = cilk_spawn count(low, (low + high) / 2, f);
  int b = count((low + high) / 2, high, f);
  cilk_sync;
  return a + b;
}
template <int (*F)(int)>
static int twice(int n) {
  return F(n) + F(n / 2);
}
template <int Steps>
static int ways(int n) {
  if (n <= 0) return n == 0;
  int sum = 0;
  for (int i = 1; i <= Steps; ++i) sum += cilk_spawn ways<Steps>(n - i);
  cilk_sync;
  return sum;
}
static int square(int n) { return n * n; }

// References, and objects with constructors and destructors.
using change = void (*)(std::vector<int>& of, int low, int high);
static void smooth(std::vector<int>& of, int low, int high) {
  if (high - low > 8) {
    int middle = (low + high) / 2;
    cilk_spawn smooth(of, low, middle);
    smooth(of, middle, high);
    cilk_sync;
    return;
  }
  for (int i = low; i + 1 < high; ++i) of[i] = (of[i] + of[i + 1]) / 2;
}
static void negate(std::vector<int>& of, int low, int high) {
  for (int i = low; i < high; ++i) of[i] = -of[i];
}
struct pass {
  change what;
  int from, to;
};
static void run_passes(const std::vector<pass>& list, std::vector<int>& of) {
  for (const pass& one : list) {
    cilk_spawn one.what(of, one.from, one.to);
    one.what(of, one.to, one.to + 16);
    cilk_sync;
  }
}

using naming = std::string (*)(std::string, int);
static std::string plainly(std::string of, int n) {
  of.push_back(static_cast<char>('0' + n));
  return of;
}
static std::string join(std::string of, int n);
static naming const namings[] = {plainly, join};
static std::string join(std::string of, int n) {
  if (n < 2) return namings[0](of, n);
  std::string a = cilk_spawn namings[n % 3 != 0](of + "l", n / 2);
  std::string b = namings[1](of + "r", n - n / 2);
  cilk_sync;
  return a + b;
}

int main() {
  trees::tree nodes[127];
  for (int i = 0; i < 127; ++i)
    nodes[i] = {i * 37 % 101, i < 63 ? &nodes[2 * i + 1] : nullptr, i < 63 ? &nodes[2 * i + 2] : nullptr};
  std::printf("%ld %ld %ld\n", trees::all_nodes(nodes, trees::weigh, 0), trees::all_nodes(nodes, trees::label, 0), trees::weigh(nodes));
  const integrator curve(integrator::power, 5), straight(&integrator::line, 4);
  std::printf("%.12g %.12g\n", curve.area(0, 2), straight.area(0, 2));
  int (*const functions[])(int) = {ways<2>, ways<3>, square, twice<ways<2>>, twice<square>};
  for (int (*f)(int) : functions) std::printf("%d ", count(0, 9, f));
  std::vector<int> numbers(64);
  for (int i = 0; i < 64; ++i) numbers[i] = i * 29 % 83;
  run_passes({{smooth, 0, 32}, {negate, 8, 24}, {smooth, 16, 40}}, numbers);
  long sum = 0;
  for (int one : numbers) sum = (sum * 7 + one) % 10007;
  std::printf("%ld\n%s\n", sum, join("", 13).c_str());
  int out[10];
  cilk_for (int i = 0; i < 10; ++i) out[i] = functions[i % 5](i);
  for (int one : out) std::printf("%d ", one);
  std::printf("\n");
  return 0;
}
