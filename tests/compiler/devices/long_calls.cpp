// Calls of functions in namespaces, with names and without, that are leaves of their own.
// RUN: %cilk2chan --device=emulated -std=c++20 --explain %s -o %t 2>&1 | FileCheck --implicit-check-not="cores of the host" %s
// RUN: %cilk2chan --serial -std=c++20 %s -o %t.serial
// RUN: %t.serial > %t.wanted
// RUN: env CHANNELS_DEVICE=emulated %t | diff %t.wanted -
// RUN: env CHANNELS_ORDER=channels %t | diff %t.wanted -
// CHECK: add: lanes of a GPU share its leaves
// CHECK: scale: lanes of a GPU share its leaves
// CHECK: clear: lanes of a GPU share its leaves
// CHECK: tasks: 2 of 2 functions
#include <cilk/cilk.h>

#include <cstdio>
#include <vector>

namespace work {
namespace inner {
void add(const long* a, const long* b, long* to, int n) {
  for (int i = 0; i < n; i++) to[i] = a[i] + b[i];
}
}  // namespace inner
void clear(long* a, int rows, int columns) {
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++) a[r * columns + c] = 0;
}
}  // namespace work

namespace {

void scale(long* a, int n, long by) {
  for (int i = 0; i < n; i++) a[i] *= by;
}

long sums(long* a, long* spare, int n) {
  if (n < 4) {
    long all = 0;
    for (int i = 0; i < n; i++) all += a[i] * (i + 1);
    return all;
  }
  const int half = n / 2;
  work::inner::add(a, a + half, spare, half);
  long left = cilk_spawn sums(a, spare, half);
  long right = sums(a + half, spare + half, n - half);
  cilk_sync;
  scale(a, n, 3);
  return left * 3 + right + a[half / 2];
}

}  // namespace

// One that also stands in a namespace.
namespace work {
long cleared(long* a, int n) {
  if (n < 8) return a[0];
  using namespace inner;
  long left = cilk_spawn cleared(a, n / 2);
  long right = cleared(a + n / 2, n - n / 2);
  cilk_sync;
  add(a, a, a, n);
  const long sum = left + right + a[n - 1];
  clear(a, n / 8, 8);
  return sum;
}
}  // namespace work

int main() {
  constexpr int n = 20000;
  std::vector<long> a(n), b(n);
  for (int i = 0; i < n; i++) a[i] = i % 13;
  std::printf("%ld\n", sums(a.data(), b.data(), n));
  std::printf("%ld\n", work::cleared(a.data(), n));
}
