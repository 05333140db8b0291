// What the fuzzer found: lambdas of inner blocks, exceptions after children that throw, arrays of variable length.
// RUN: %host-code-run-and-compare %s
#include <cilk/cilk.h>

#include <cstdio>

struct failure { int n; };
static int risky(int n) {
  if (n % 3 == 0) throw failure{n};
  return n + 1;
}
static int first_wins(int n) {
  int outcome = 0;
  try {
    int a = 0, b = 0, c = 0;
    a = cilk_spawn risky(n);
    b = cilk_spawn risky(n + 1);
    c = risky(n + 2);
    cilk_sync;
    outcome = a + b + c;
  } catch (const failure& thrown) {
    outcome = -thrown.n;
  }
  return outcome;
}

template <class T>
static int inner(T n) {
  long results[5 + (int(n) & 3)];
  results[0] = 0;
  for (int i = 0; i < 5; ++i) {
    auto work = [=](int spare) { return int(n) + spare + i; };
    struct mutable_work {
      int value;
      int operator()(int by) { return value += by; }
    } other{i};
    results[i] = cilk_spawn work(8);
    cilk_spawn [=]() mutable { return work(i); }();
    cilk_sync;
    int x = cilk_spawn other(2);
    cilk_sync;
    results[i] += other.value + x;
  }
  for (int i = 0; i < 5; ++i) {
    auto work = [=](int spare) { return int(n) * spare - i; };
    results[i] += cilk_spawn work(2);
  }
  cilk_sync;
  results[0] -= cilk_spawn risky(int(n) * 3 + 1);
  cilk_sync;
  int sum = 0;
  for (int i = 0; i < 5; ++i) sum = sum * 5 + int(results[i]);
  return sum;
}

int main() {
  for (int n = 0; n < 6; ++n) std::printf("%d %d %d\n", first_wins(n), inner(n), inner(n + 0.5));
}
