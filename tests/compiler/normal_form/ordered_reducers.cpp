// Reducers whose order matters: strings, vectors and functions that are composed, as globals, locals,
// members and by pointers, in recursion, in virtual functions, in lambdas, in blocks, in loops whose
// iterations spawn and sync. Each strand has views of its own, and syncs reduce them in order.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --device=emulated --explain --emit=tasks %s -o %t.out 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks: 7 of 7 functions, 2 of 2 loops
#include <cilk/cilk.h>
#include <cilk/reducer_vector.h>
#include <cilk/reducer_string.h>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

// A text that strands in parallel append to.
static void no_text(void* view) { new (view) std::string(); }
static void append(void* left, void* right) {
  *static_cast<std::string*>(left) += *static_cast<std::string*>(right);
  static_cast<std::string*>(right)->~basic_string();
}
typedef std::string cilk_reducer(no_text, append) text;

// Devices have no std::to_string.
static std::string digits(int n) {
  std::string made;
  for (; n > 0; n /= 10) made.insert(made.begin(), (char)('0' + n % 10));
  return made;
}

struct shape {
  virtual ~shape() = default;
  virtual void list(text* out) const = 0;
};
static text log_of_all;
struct square : shape {
  int side;
  explicit square(int s) : side(s) {}
  void list(text* out) const override {
    *out += "s";
    *out += digits(side);
    log_of_all += "q";
  }
};
struct group : shape {
  std::vector<std::unique_ptr<shape>> parts;
  void list(text* out) const override {
    *out += "(";
    for (const auto& each : parts) cilk_spawn each->list(out);
    *out += ".";
    cilk_sync;
    *out += ")";
    log_of_all += "g";
  }
};
static std::unique_ptr<shape> grow(int depth, int& n) {
  if (depth == 0) return std::make_unique<square>(++n);
  auto made = std::make_unique<group>();
  for (int i = 0; i < depth; ++i) made->parts.push_back(grow(depth - 1, n));
  return made;
}

// Composition of x -> a x + b, which does not commute.
struct line { unsigned a = 1, b = 0; };
static void same(void* view) { new (view) line(); }
static void compose(void* left, void* right) {
  line* l = static_cast<line*>(left);
  const line* r = static_cast<line*>(right);
  *l = {l->a * r->a, l->b * r->a + r->b};
}
typedef line cilk_reducer(same, compose) lines;
static unsigned apply(lines* by, int lo, int hi) {
  if (hi - lo == 1) {
    by->a = by->a * (unsigned)(2 * lo + 1);
    by->b = by->b * (unsigned)(2 * lo + 1) + (unsigned)lo;
    return (unsigned)lo;
  }
  const int mid = lo + (hi - lo) / 3 + 1 == hi ? hi - 1 : lo + (hi - lo) / 3 + 1;
  unsigned left = cilk_spawn apply(by, lo, mid);
  unsigned right = apply(by, mid, hi);
  cilk_sync;
  return left ^ right;
}

// A histogram of local reducers, in recursion.
static std::vector<int> odd_ones(const std::vector<int>& from, int lo, int hi) {
  cilk::reducer<cilk::op_vector<int>> mine;
  if (hi - lo <= 4) {
    for (int i = lo; i < hi; ++i)
      if (from[i] & 1) mine->push_back(from[i]);
    return mine.get_value();
  }
  const int mid = (lo + hi) / 2;
  std::vector<int> left = cilk_spawn odd_ones(from, lo, mid);
  std::vector<int> right = odd_ones(from, mid, hi);
  cilk_sync;
  cilk_for (int half = 0; half < 2; ++half) {
    for (int x : half == 0 ? left : right) mine->push_back(x);
  }
  return mine.get_value();
}

template <class Visit>
static void each_below(int n, Visit visit) {
  if (n < 2) {
    visit(n);
    return;
  }
  cilk_spawn each_below(n / 2, visit);
  visit(n);
  each_below(n - n / 2, visit);
}

class words {
 public:
  void fill(int n) {
    cilk_for (int i = 0; i < n; ++i) {
      text_ += (char)('a' + i % 26);
      cilk_spawn pair(i);
      text_ += '-';
      if (i % 3 == 0) {
        cilk_sync;
        text_ += '|';
      }
    }
  }
  const std::string& text() { return text_.get_value(); }

 private:
  void pair(int i) { text_ += digits(i % 7); }
  cilk::reducer_string text_;
};

static double tree_sum(cilk::reducer<cilk::op_vector<double>>& seen, double x, int depth) {
  if (depth == 0) {
    seen->push_back(x);
    return x;
  }
  double l = 0;
  l += cilk_spawn tree_sum(seen, x / 2, depth - 1);
  cilk_scope {
    cilk_spawn {
      seen->push_back(-x);
    }
    seen->push_back(x + 1000);
  }
  double r = tree_sum(seen, x / 3, depth - 1);
  cilk_sync;
  return l + r;
}

int main() {
  int n = 0;
  const auto all = grow(5, n);
  text out;
  out = "all: ";
  all->list(&out);
  std::printf("%zu %.60s %zu\n", out.size(), out.c_str(), log_of_all.size());
  unsigned hash = 0;
  for (char c : out) hash = hash * 31 + (unsigned char)c;
  std::printf("%u\n", hash);

  lines by;
  const unsigned bits = apply(&by, 0, 1000);
  std::printf("%u %u %u\n", by.a, by.b, bits);

  std::vector<int> numbers;
  for (int i = 0; i < 500; ++i) numbers.push_back(i * 37 % 101);
  const std::vector<int> odd = odd_ones(numbers, 0, (int)numbers.size());
  hash = 0;
  for (int x : odd) hash = hash * 31 + (unsigned)x;
  std::printf("%zu %u\n", odd.size(), hash);

  cilk::reducer<cilk::op_vector<int>> order;
  each_below(200, [&](int k) { order->push_back(k); });
  hash = 0;
  for (int x : order.get_value()) hash = hash * 31 + (unsigned)x;
  std::printf("%zu %u\n", order.get_value().size(), hash);

  words w;
  w.fill(120);
  std::printf("%s\n", w.text().c_str());

  cilk::reducer<cilk::op_vector<double>> seen;
  const double sum = tree_sum(seen, 1.0, 6);
  double folded = 0;
  for (double x : seen.get_value()) folded = folded * 0.5 + x;
  std::printf("%.17g %zu %.17g\n", sum, seen.get_value().size(), folded);
  return 0;
}
