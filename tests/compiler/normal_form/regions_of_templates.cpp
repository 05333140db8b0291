// Templates and members of class templates that have no task as a whole: what runs in parallel in them is cut out of
// each instance. Containers grow between the loops, and closures, numbers and types tell instances apart.
// RUN: %host-code-run-and-compare %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t.lowered 2>&1 | FileCheck --check-prefix=RAN %s
// RAN: tasks{{ +}}{{[1-9][0-9]+}}
// RUN: %cilk2chan --explain --emit=source %s -o %t.out 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks: 15 of 15 functions, 16 of 16 loops
// RUN: %device-run-and-compare %s
#include <cilk/cilk.h>
#include <cilk/reducer_opadd.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

// The vectors' sizes change, and 'order' is a closure in one instance, a function object in another.
template <class T, class Wanted>
std::vector<T> filter(const std::vector<T>& from, const Wanted& wanted) {
  std::vector<std::size_t> flags(from.size());
  cilk_for (std::size_t i = 0; i < from.size(); ++i) flags[i] = wanted(from[i]) ? 1 : 0;
  std::size_t count = 0;
  for (std::size_t& one : flags) one = count += one;
  std::vector<T> result(count);
  cilk_for (std::size_t i = 0; i < from.size(); ++i) {
    if (wanted(from[i])) result[flags[i] - 1] = from[i];
  }
  return result;
}

template <int Step>
struct every {
  template <class T>
  bool operator()(const T& value) const {
    return static_cast<long>(value) % Step == 0;
  }
};

// What is cut out uses members, and the text that is made is not.
template <class Key, unsigned Width>
class table {
 public:
  explicit table(std::string name) : name_(std::move(name)) {}
  void fill(Key n) {
    rows_.resize(n * Width);
    cilk_for (Key i = 0; i < n; ++i) {
      for (unsigned k = 0; k < Width; ++k) rows_[i * Width + k] = i * 3 + k;
    }
    name_ += "!";
  }
  long sum() const;
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  std::vector<Key> rows_;
};
template <class Cell, unsigned Columns>
long table<Cell, Columns>::sum() const {
  std::string text = name_ + "?";
  cilk::reducer_opadd<long> all(0);
  cilk_for (std::size_t i = 0; i < rows_.size(); ++i) all += rows_[i] * (i % 7);
  return all.get_value() + static_cast<long>(text.size());
}

template <class T>
T sum_of(const T* values, int n) {
  if (n < 20) {
    T sum = 0;
    for (int i = 0; i < n; i++) sum += values[i];
    return sum;
  }
  T left = cilk_spawn sum_of(values, n / 2);
  T right = sum_of(values + n / 2, n - n / 2);
  cilk_sync;
  return left + right;
}
// Children in a loop that goes on while text grows; the results are in a vector.
template <class T>
std::string rounds(const std::vector<T>& values, int times) {
  std::string said;
  std::vector<T> sums(times);
  for (int round = 0; round < times; round++) {
    T first = 0, second = 0;
    first = cilk_spawn sum_of(values.data(), static_cast<int>(values.size()) / 2);
    second = cilk_spawn sum_of(values.data() + values.size() / 2, static_cast<int>(values.size()) / 3);
    cilk_sync;
    sums[round] = first * (round + 1) + second;
    said += std::to_string(static_cast<long>(sums[round])) + " ";
  }
  return said;
}

// A template in a class that is none.
struct shop {
  std::vector<int> stock;
  template <class Change>
  std::string change(const Change& one) {
    std::string log = "changed";
    cilk_for (int i = 0; i < static_cast<int>(stock.size()); ++i) stock[i] = one(stock[i]);
    cilk_for (int i = 0; i < static_cast<int>(stock.size()); ++i) stock[i] += i;
    return log + std::to_string(stock.back());
  }
};

// Instances whose loops use other variables.
template <bool Weighted>
std::string total(const std::vector<int>& values) {
  std::string said = "total ";
  std::vector<long> parts(values.size());
  const long weight = 3;
  cilk_for (std::size_t i = 0; i < values.size(); ++i) {
    if constexpr (Weighted) {
      parts[i] = values[i] * weight;
    } else {
      parts[i] = values[i];
    }
  }
  long sum = 0;
  for (const long one : parts) sum += one;
  return said + std::to_string(sum);
}

int main() {
  std::vector<int> small(500);
  std::vector<double> large(700);
  for (std::size_t i = 0; i < small.size(); i++) small[i] = static_cast<int>(i * 37 % 101);
  for (std::size_t i = 0; i < large.size(); i++) large[i] = static_cast<double>(i * 53 % 211);
  const int limit = 40;
  const auto a = filter(small, [=](int x) { return x < limit; });
  const auto b = filter(large, every<3>());
  const auto c = filter(small, every<4>());
  std::printf("%zu %d %zu %.1f %zu %d\n", a.size(), a.back(), b.size(), b.back(), c.size(), c[5]);
  table<unsigned, 4> first("first");
  table<long, 3> second("second");
  first.fill(100);
  second.fill(77);
  std::printf("%ld %s %ld %s\n", first.sum(), first.name().c_str(), second.sum(), second.name().c_str());
  std::printf("%s%s\n", rounds(small, 3).c_str(), rounds(large, 2).c_str());
  shop one{small};
  const auto twice = [](int x) { return 2 * x; };
  const auto less = [limit](int x) { return x - limit; };
  const std::string said = one.change(twice) + one.change(less);
  std::printf("%s %d\n", said.c_str(), one.stock[77]);
  std::printf("%s %s\n", total<true>(small).c_str(), total<false>(small).c_str());
  return 0;
}
