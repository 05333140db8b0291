// Results that go to variables of inner blocks, where what joins the child is no cilk_sync: the
// end of a scope, of a try block, of a loop's iteration, of a lambda.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s
#include <cilk/cilk.h>
#include <cstdio>

static long fib(int n) {
  if (n < 2) return n;
  long a = cilk_spawn fib(n - 1);
  long b = fib(n - 2);
  cilk_sync;
  return a + b;
}

static long of_scopes(int n) {
  long sum = 0;
  for (int i = 0; i < n; i++) {
    long a = -1, b = -1;
    cilk_scope {
      a = cilk_spawn fib(10 + i);
      b = fib(9 + i);
    }
    sum += a * 3 + b;
  }
  if (n > 2) {
    long c = -1;
    {
      cilk_scope { c = cilk_spawn fib(n); }
    }
    sum += c;
  }
  return sum;
}
static long of_attempts(int n) {
  long sum = 0;
  while (n-- > 0) {
    long a = -1;
    try {
      a = cilk_spawn fib(8 + n);
      sum += fib(7);
    } catch (int) {
      sum = 0;
    }
    sum += a;
  }
  return sum;
}
static long of_loops(int n) {
  long sum = 0;
  if (n > 0) {
    long all[16] = {0};
    long one = -1;
    cilk_for (int i = 0; i < 16; i++) {
      long mine = -1;
      cilk_scope { mine = cilk_spawn fib(i); }
      all[i] = mine;
    }
    cilk_for (int i = 0; i < 1; i++) one = cilk_spawn fib(n);
    for (long each : all) sum += each;
    sum += one;
  }
  return sum;
}
static long of_lambdas(int n) {
  long sum = 0;
  for (int i = 0; i < n; i++) {
    long a = -1;
    const auto run = [&] { a = cilk_spawn fib(6 + i); };
    run();
    sum += a;
  }
  return sum;
}

int main() {
  for (int i = 1; i < 4; i++)
    std::printf("%ld %ld %ld %ld\n", of_scopes(i), of_attempts(i), of_loops(10 + i), of_lambdas(i));
}
