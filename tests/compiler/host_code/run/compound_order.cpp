// In an assignment the right side comes first, since C++17: what a child gets is evaluated before
// the place that its result is added to.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s
#include <cilk/cilk.h>
#include <cstdio>
#include <map>

static long f(long n) { return n; }
static long places() {
  long r[8] = {};
  int k = 0;
  while (k < 4) r[k++] += cilk_spawn f(k);
  cilk_sync;
  while (k < 8) r[k++] = cilk_spawn f(k);
  cilk_sync;
  long hash = 0;
  for (long each : r) hash = hash * 31 + each;
  return hash;
}
static long of_map() {
  std::map<int, long> all;
  for (int i = 0; i < 5; i++) {
    all[i * 7 % 5] += cilk_spawn f(static_cast<long>(all.size()));
    cilk_sync;
  }
  long hash = 0;
  for (const auto& [key, value] : all) hash = hash * 31 + key * 7 + value;
  return hash;
}

struct pair {
  long x;
};
static pair operator-(pair a, pair b) {
  long x = cilk_spawn f(a.x);
  long y = f(b.x);
  cilk_sync;
  return {x - y * 2};
}
static pair operator+=(pair& a, pair b) {
  a.x += cilk_spawn f(b.x);
  cilk_sync;
  return a;
}

int main() {
  pair v = pair{7} - pair{2};
  v += pair{3} - pair{1};
  std::printf("%ld %ld %ld\n", places(), of_map(), v.x);
}
