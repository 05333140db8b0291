// What a plain form must not get wrong: places of sums that change before the sync, temporary
// objects that children in a loop use, objects passed by value, the order of output.
// RUN: %host-code-run-and-compare %s
#include <cilk/cilk.h>

#include <cstdio>
#include <iostream>
#include <vector>

static long fib(const int& n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

struct account {
  long sum;
};

static long moving(int n) {
  account cells[8] = {};
  int i = 0;
  account* at = cells;
  cells[i].sum += cilk_spawn fib(n);
  i = 3;
  cells[i].sum += cilk_spawn fib(n - 1);
  at->sum -= cilk_spawn fib(n - 2);
  at = cells + 5;
  i = 7;
  cilk_sync;
  long all = 0;
  for (int k = 0; k < 8; ++k) all = all * 3 + cells[k].sum;
  return all + i + (at - cells);
}

static long lent(int n) {
  long results[16];
  for (int i = 0; i < 16; ++i) results[i] = cilk_spawn fib(n - i % 5);
  cilk_sync;
  long all = 0;
  for (long each : results) all = all * 3 + each;
  return all;
}

static long by_value(std::vector<int> numbers) {
  if (numbers.size() < 2) return numbers.empty() ? 0 : numbers[0];
  std::vector<int> left(numbers.begin(), numbers.begin() + static_cast<long>(numbers.size() / 2));
  numbers.erase(numbers.begin(), numbers.begin() + static_cast<long>(left.size()));
  numbers.push_back(1);
  numbers.pop_back();
  long x = cilk_spawn by_value(left);
  long y = by_value(numbers);
  cilk_sync;
  return x + y;
}

static int loud(int n) {
  int x = cilk_spawn fib(n);
  cilk_sync;
  std::cout << "loud " << n << ' ';
  return x;
}

static void print(int n) { std::cout << "before " << loud(n) << " between " << loud(n + 1) << '\n'; }

static int prints(int n) {
  int x = cilk_spawn fib(n);
  print(n);
  std::cout << "first " << loud(n) << '\n';
  cilk_sync;
  return x;
}

int main() {
  std::printf("%ld %ld\n", moving(12), lent(10));
  std::printf("%ld\n", by_value({5, 3, 9, 1, 4, 8, 2}));
  std::fflush(stdout);
  std::cout << prints(7) << std::endl;
  return 0;
}
