// A lambda of a function that tasks call uses the program's variables themselves, whatever it captures.
// RUN: %device-run-and-compare %s
#include <cilk/cilk.h>

#include <cstdio>

namespace {

int weights[4] = {1, 2, 3, 4};
int scale = 1;
int factor = 10;

int without_captures(int n) {
  const auto at = [](int i) { return weights[i & 3]; };
  return at(n);
}

// What a lambda copies are variables of the function: it would see the first value of `factor`, and have weights of its own.
int by_value(int n) {
  const int before = factor;
  const auto product = [=](int i) { return weights[i & 3] * n * factor - before; };
  const int first = product(n);
  const auto twice = [n] {
    const auto inner = [=] { return weights[n & 3] + weights[n + 1 & 3]; };
    return 2 * inner();
  };
  return first + twice();
}

int by_reference(int n) {
  int sum = 0;
  const auto add = [&](auto value) -> int { return sum += static_cast<int>(value) * scale; };
  add(n);
  add(static_cast<short>(weights[0]));
  return [of = weights[n & 3], &sum]() mutable { return ++of * scale + sum; }();
}

}  // namespace

int walk(int n) {
  if (n < 2) return without_captures(n) + by_value(n) + by_reference(n);
  const int left = cilk_spawn walk(n - 1);
  const int right = cilk_spawn walk(n - 2);
  cilk_sync;
  return left + right;
}

// Each leaf has a place of its own.
int counts[64];

void fill(int from, int to) {
  if (to - from == 1) {
    auto count = [=]() mutable { counts[from] += factor * ++to; };
    count();
    count();
    return;
  }
  const int middle = from + (to - from) / 2;
  cilk_spawn fill(from, middle);
  fill(middle, to);
  cilk_sync;
}

int main() {
  std::printf("%d\n", walk(12));
  factor = 7;
  weights[1] = 9;
  std::printf("%d\n", walk(11));
  fill(0, 64);
  long sum = 0;
  for (const int count : counts) sum = sum * 31 % 1000003 + count;
  std::printf("%ld\n", sum);
}
