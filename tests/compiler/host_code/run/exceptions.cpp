// What a child throws is delivered at the sync; the serially first exception wins; objects are destroyed once, after
// the children that may use them have ended.
// RUN: %host-code-run-and-compare %s
#include <cilk/cilk.h>

#include <atomic>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

struct counted {
  static std::atomic<int> alive;
  std::vector<int> values;
  explicit counted(int n) : values(n, n) { ++alive; }
  counted(const counted& other) : values(other.values) { ++alive; }
  ~counted() {
    for (int& one : values) one = -1;
    --alive;
  }
};
std::atomic<int> counted::alive = 0;

int sum(const counted& c, int fails) {
  int s = 0;
  for (int one : c.values) s += one;
  if (s % 3 == fails) throw s;
  return s;
}

int outer(int n, int fails) {
  counted mine(n);
  int a = cilk_spawn sum(mine, fails);
  {
    counted inner(n + 1);
    int b = cilk_spawn sum(inner, fails);
    int c = cilk_spawn sum(counted(n + 2), fails);
    if (n == 5) throw std::runtime_error("five");
    cilk_sync;
    a = a + b * c;
  }
  int d = cilk_spawn sum(mine, fails);
  if (n == 6) return sum(mine, fails);
  cilk_sync;
  return a + d;
}

int attempt(int n, int fails) {
  int result = 0;
  try {
    result = cilk_spawn outer(n, fails);
    int other = cilk_spawn outer(n + 1, fails);
    cilk_sync;
    result += other;
  } catch (int thrown) {
    result = -thrown;
  } catch (const std::exception& thrown) {
    result = -1000 - int(std::string(thrown.what()).size());
  }
  return result;
}

struct tree {
  int depth;
  long weight(int fails) const try {
    if (depth == 0) return 1;
    tree below{depth - 1};
    long left = cilk_spawn below.weight(fails);
    long right = below.weight(fails + 1);
    cilk_sync;
    if (depth == fails) throw depth;
    return left + right;
  } catch (int thrown) {
    return 100 * thrown;
  }
};

int main() {
  for (int n = 0; n < 9; ++n) {
    for (int fails = 0; fails < 3; ++fails) std::cout << attempt(n, fails) << ' ';
  }
  std::cout << tree{6}.weight(2) << ' ' << counted::alive << '\n';
}
