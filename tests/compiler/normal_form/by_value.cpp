// Objects with constructors and destructors as parameters and results of functions that spawn:
// vectors, strings, owners, and some that count what happens to them.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --device=emulated --explain --emit=tasks %s -o %t.out 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks: 9 of 9 functions, 0 of 0 loops
#include <cilk/cilk.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

static std::vector<int> sorted(std::vector<int> numbers) {
  if (numbers.size() <= 8) {
    std::sort(numbers.begin(), numbers.end());
    return numbers;
  }
  const std::size_t middle = numbers.size() / 2;
  std::vector<int> left = cilk_spawn sorted(
      std::vector<int>(numbers.begin(), numbers.begin() + static_cast<long>(middle)));
  std::vector<int> right = sorted({numbers.begin() + static_cast<long>(middle), numbers.end()});
  cilk_sync;
  std::vector<int> all(numbers.size());
  std::merge(left.begin(), left.end(), right.begin(), right.end(), all.begin());
  return all;
}

struct node {
  long key;
  std::unique_ptr<node> left, right;
};
static std::unique_ptr<node> build(long low, long high) {
  if (low >= high) return nullptr;
  const long middle = low + (high - low) / 2;
  auto made = std::make_unique<node>();
  made->key = middle;
  made->left = cilk_spawn build(low, middle);
  made->right = build(middle + 1, high);
  cilk_sync;
  return made;
}
static long sum(const node* at) {
  return at ? at->key + sum(at->left.get()) + sum(at->right.get()) : 0;
}

static std::string spelled(int n, std::string before) {
  if (n == 0) return before;
  if (n % 3 == 0) return spelled(n - 1, before + "c");
  std::string a = cilk_spawn spelled(n - 2 < 0 ? 0 : n - 2, before + "a");
  std::string b = spelled(n - 1, std::move(before));
  cilk_sync;
  return a.size() < b.size() ? a + b : b + a;
}

static long made, gone, copied;
static void add(long& to) { __atomic_fetch_add(&to, 1, __ATOMIC_RELAXED); }
class counted {
 public:
  explicit counted(long n) : value_(n) { add(made); }
  counted(const counted& other) : value_(other.value_) { add(made), add(copied); }
  counted(counted&& other) noexcept : value_(other.value_) { add(made); }
  counted& operator=(const counted&) = default;
  ~counted() { add(gone); }
  long value() const { return value_; }
  friend counted operator+(const counted& a, const counted& b) {
    return counted(a.value_ + b.value_);
  }

 private:
  long value_;
};
static counted ways(counted n) {
  if (n.value() < 2) return n;
  counted x = cilk_spawn ways(counted(n.value() - 1));
  counted y = ways(counted(n.value() - 2));
  cilk_sync;
  return x + y;
}
static long through(const counted& n) { return n.value() + 1; }
static long used(int n) {
  if (n < 1) return 1;
  const counted& bound = ways(counted(n));
  long y = 0;
  long x = cilk_spawn through(ways(counted(2)));
  if (ways(counted(3)).value() > 1 && n > 2) y += ways(counted(n)).value();
  std::vector<long> list(4);
  for (int i = 0; i < 4; ++i) list[static_cast<std::size_t>(i)] = cilk_spawn used(n - 2 - i);
  cilk_sync;
  cilk_spawn ways(counted(n));
  for (long each : list) x += each;
  return x + y + bound.value();
}

template <class T>
static std::vector<T> mapped(const std::vector<T>& of, std::size_t low, std::size_t high) {
  if (high - low == 1) return {of[low] * 2};
  std::vector<T> parts[2];
  const std::size_t middle = (low + high) / 2;
  parts[0] = cilk_spawn mapped(of, low, middle);
  parts[1] = mapped(of, middle, high);
  cilk_sync;
  parts[0].insert(parts[0].end(), parts[1].begin(), parts[1].end());
  return parts[0];
}

struct polynomial {
  std::vector<long> coefficients;
  polynomial times(polynomial other, int depth) const {
    if (depth == 0 || coefficients.size() < 2) {
      polynomial product{std::vector<long>(coefficients.size() + other.coefficients.size() - 1)};
      for (std::size_t i = 0; i < coefficients.size(); ++i)
        for (std::size_t j = 0; j < other.coefficients.size(); ++j)
          product.coefficients[i + j] += coefficients[i] * other.coefficients[j];
      return product;
    }
    const std::size_t half = coefficients.size() / 2;
    polynomial low{{coefficients.begin(), coefficients.begin() + static_cast<long>(half)}};
    polynomial high{{coefficients.begin() + static_cast<long>(half), coefficients.end()}};
    polynomial a = cilk_spawn low.times(other, depth - 1);
    polynomial b = high.times(std::move(other), depth - 1);
    cilk_sync;
    b.coefficients.insert(b.coefficients.begin(), half, 0);
    for (std::size_t i = 0; i < a.coefficients.size(); ++i) b.coefficients[i] += a.coefficients[i];
    return b;
  }
};

int main() {
  std::vector<int> numbers(1000);
  unsigned seed = 7;
  for (int& each : numbers) each = static_cast<int>((seed = seed * 1103515245u + 12345u) >> 16);
  const std::vector<int> result = sorted(numbers);
  std::printf("sorted: %d %zu %d\n", std::is_sorted(result.begin(), result.end()), result.size(),
              result[500]);
  std::unique_ptr<node> tree = build(0, 1000);
  std::printf("tree: %ld\n", sum(tree.get()));
  const std::string text = spelled(10, "x");
  std::printf("text: %zu %s\n", text.size(), text.substr(0, 40).c_str());
  {
    counted n = ways(counted(12));
    std::printf("ways: %ld\n", n.value());
    std::printf("used: %ld\n", used(6));
  }
  std::printf("objects: %d %d\n", made == gone, copied > 0);
  std::vector<long> list(37);
  for (std::size_t i = 0; i < list.size(); ++i) list[i] = static_cast<long>(i * i);
  long total = 0;
  for (long each : mapped(list, 0, list.size())) total = total * 3 + each;
  std::printf("mapped: %ld\n", total);
  polynomial p{{1, 2, 3, 4, 5, 6, 7, 8, 9}}, q{{3, 1, 4, 1, 5}};
  long sums = 0;
  for (long each : p.times(q, 3).coefficients) sums = sums * 7 + each;
  std::printf("polynomial: %ld\n", sums);
  return 0;
}
