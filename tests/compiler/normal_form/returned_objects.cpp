// What people return from functions that spawn: numbers of many digits, pairs, vectors of strings,
// structures of vectors; also into variables of main.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --device=emulated --explain --emit=tasks %s -o %t.out 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks: 8 of 8 functions, 1 of 1 loops
#include <cilk/cilk.h>
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

// A number of many digits, as a student writes it.
class big {
 public:
  big() : digits_(new int[1]{0}), size_(1) {}
  explicit big(long value) : digits_(new int[20]), size_(0) {
    do digits_[size_++] = static_cast<int>(value % 10);
    while (value /= 10);
  }
  big(const big& other) : digits_(new int[other.size_]), size_(other.size_) {
    std::copy(other.digits_, other.digits_ + size_, digits_);
  }
  big& operator=(const big& other) {
    if (this != &other) {
      int* fresh = new int[other.size_];
      std::copy(other.digits_, other.digits_ + other.size_, fresh);
      delete[] digits_;
      digits_ = fresh;
      size_ = other.size_;
    }
    return *this;
  }
  ~big() { delete[] digits_; }
  friend big operator*(const big& a, const big& b) {
    big product;
    delete[] product.digits_;
    product.size_ = a.size_ + b.size_;
    product.digits_ = new int[product.size_]();
    for (int i = 0; i < a.size_; ++i) {
      int carry = 0;
      for (int j = 0; j < b.size_ || carry; ++j) {
        const int now =
            product.digits_[i + j] + carry + (j < b.size_ ? a.digits_[i] * b.digits_[j] : 0);
        product.digits_[i + j] = now % 10;
        carry = now / 10;
      }
    }
    while (product.size_ > 1 && product.digits_[product.size_ - 1] == 0) --product.size_;
    return product;
  }
  int size() const { return size_; }
  int digit(int i) const { return digits_[i]; }

 private:
  int* digits_;
  int size_;
};

big factorial(long low, long high) {
  if (low == high) return big(low);
  const long middle = (low + high) / 2;
  big left = cilk_spawn factorial(low, middle);
  big right = factorial(middle + 1, high);
  cilk_sync;
  return left * right;
}

std::pair<std::vector<int>, long> split(const std::vector<int>& v, int low, int high) {
  if (high - low < 4) {
    std::vector<int> part(v.begin() + low, v.begin() + high);
    long sum = std::accumulate(part.begin(), part.end(), 0L);
    return {part, sum};
  }
  int middle = (low + high) / 2;
  auto left = cilk_spawn split(v, low, middle);
  auto right = split(v, middle, high);
  cilk_sync;
  left.first.insert(left.first.end(), right.first.begin(), right.first.end());
  std::reverse(left.first.begin(), left.first.end());
  return {std::move(left.first), left.second + 2 * right.second};
}

// A way down in steps of 3 and 5, and whether there is one.
struct way {
  bool found;
  std::vector<int> steps;
};
way path(int n, std::vector<int> so_far) {
  if (n == 0) return {true, so_far};
  if (n < 0) return {false, {}};
  so_far.push_back(n);
  way a = cilk_spawn path(n - 3, so_far);
  way b = path(n - 5, so_far);
  cilk_sync;
  return a.found ? a : b;
}

static std::vector<std::string> words(const std::string& text, std::size_t low, std::size_t high) {
  std::vector<std::string> found;
  if (high - low < 16) {
    std::string word;
    for (std::size_t i = low; i < high; ++i) {
      if (text[i] == ' ') {
        if (!word.empty()) found.push_back(word);
        word.clear();
      } else
        word += text[i];
    }
    if (!word.empty()) found.push_back(word);
    return found;
  }
  std::size_t middle = (low + high) / 2;
  while (middle < high && text[middle] != ' ') ++middle;
  if (middle == high) middle = (low + high) / 2, middle = high;
  if (middle == high) {
    std::string rest = text.substr(low, high - low);
    found.push_back(rest);
    return found;
  }
  std::vector<std::string> first, second;
  first = cilk_spawn words(text, low, middle);
  second = words(text, middle, high);
  cilk_sync;
  for (auto& each : second) first.push_back(std::move(each));
  return first;
}

template <class F>
static std::vector<long> all_of(int n, F f) {
  std::vector<std::vector<long>> parts(4);
  cilk_for(int i = 0; i < 4; ++i) {
    for (int j = i; j < n; j += 4) parts[static_cast<std::size_t>(i)].push_back(f(j));
  }
  std::vector<long> all;
  for (auto& one : parts) all.insert(all.end(), one.begin(), one.end());
  return all;
}

int main() {
  big f = factorial(1, 60);
  for (int i = f.size(); i-- > 0;) std::printf("%d", f.digit(i));
  std::printf("\n");
  big a = cilk_spawn factorial(1, 30);
  big b = cilk_spawn factorial(31, 60);
  cilk_sync;
  big c = a * b;
  std::printf("%d %d\n", c.size(), c.size() == f.size());
  std::vector<int> v(100);
  std::iota(v.begin(), v.end(), 1);
  auto s = split(v, 0, 100);
  std::printf("%ld %d %d\n", s.second, s.first[0], s.first[50]);
  const way p = path(29, {});
  for (int each : p.steps) std::printf("%d ", each);
  std::printf("\n");
  std::string text;
  for (int i = 0; i < 50; ++i) text += "word" + std::to_string(i * i) + (i % 3 ? " " : "  ");
  for (const std::string& each : words(text, 0, text.size())) std::printf("%s,", each.c_str());
  std::printf("\n");
  long base = 7, total = 0;
  for (long each : all_of(20, [base](int i) { return base * i; })) total = total * 5 + each;
  std::printf("%ld\n", total);
  std::vector<int> copy = v;
  long sums[4];
  for (int i = 0; i < 4; ++i) cilk_spawn {
      sums[i] = std::accumulate(copy.begin(), copy.end(), static_cast<long>(i));
    }
  cilk_sync;
  std::printf("%ld\n", sums[0] + sums[3]);
  return 0;
}
