// A spawn in the head of a statement is waited for, since the statement uses what it returns.
// RUN: %host-code-run-and-compare -std=c++20 %s
// RUN: %device-run-and-compare -std=c++20 %s
#include <cilk/cilk.h>

#include <cstdio>
#include <string>

static std::string letters(int n) { return std::string(n, 'x'); }
static int fib(int n) {
  if (n < 2) return n;
  int sum = 0;
  if (int a = cilk_spawn fib(n - 1); a > 3) sum += a * 2;
  if (int b = cilk_spawn fib(n - 2)) sum += b;
  for (int i = cilk_spawn fib(n - 2); i < 4; ++i) sum += i;
  switch (int c = cilk_spawn fib(n - 2); c % 3) {
    case 0: return sum + c;
    default: return sum - c;
  }
}

int main() {
  if (std::string s = cilk_spawn letters(4); !s.empty()) std::printf("%zu\n", s.size());
  std::printf("%d\n", fib(9));
}
