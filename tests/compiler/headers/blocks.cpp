// A block that is spawned in C++: with objects, in members, lambdas and templates, with exceptions.
// RUN: %host-code-run-and-compare %s
// RUN: %cilk2chan --explain --emit=source %s -o %t.explained 2>&1 | FileCheck %s
#include <cilk/cilk.h>
#include <cilk/reducer_list.h>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

static long fib(int n) {
  if (n < 2) return n;
  long x, y;
  // CHECK: line [[@LINE+1]]: spawn of a block, given away when a worker is hungry
  cilk_spawn { x = fib(n - 1); }
  cilk_spawn
  {
    y = fib(n - 2);
  }
  cilk_sync;
  return x + y;
}

struct worker {
  std::vector<std::string> names;
  std::string joined;
  void run(int n) {
    names.resize(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
      const int number = i * i;
      cilk_spawn { names[static_cast<std::size_t>(i)] = std::to_string(number + fib(number % 6)); }
    }
    cilk_sync;
    for (const std::string& one : names) joined += one + ' ';
  }
};

template <class T> static T sum(const std::vector<T>& of) {
  T left = T(), right = T();
  cilk_spawn { for (std::size_t i = 0; i < of.size() / 2; ++i) left += of[i]; }
  for (std::size_t i = of.size() / 2; i < of.size(); ++i) right += of[i];
  cilk_sync;
  return left + right;
}

static int caught(int n) {
  int seen = 0;
  try {
    for (int i = 0; i < n; ++i) {
      cilk_spawn {
        fib(i);
        if (i > n / 2) throw i + 0;
      }
    }
    cilk_sync;
  } catch (int which) {
    seen = which;
  }
  return seen;
}

int main() {
  cilk::reducer<cilk::op_list_append<int> > order;
  auto many = [&](int n) {
    for (int i = 0; i < n; ++i)
      cilk_spawn { order->push_back(i); }
    cilk_sync;
  };
  many(30);
  for (int one : order.get_value()) std::printf("%d ", one);
  worker made;
  made.run(25);
  std::printf("\n%ld %s %d %.1f %d\n", fib(16), made.joined.c_str(), sum(std::vector<int>(30, 2)),
              sum(std::vector<double>(7, 0.5)), caught(9));
}
