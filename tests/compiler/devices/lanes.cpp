// Loops of C++ that lanes share: constants, references, structures, overloaded functions and namespaces.
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan -std=c++20 --device=emulated --explain --emit=tasks %s -o %t.explained 2>&1 | FileCheck %s
#include <cilk/cilk.h>
#include <cstdio>
#include <cstdlib>

namespace shapes {

struct point {
  float x, y;
};

// CHECK-DAG:   line [[@LINE+6]]: side by side on lanes{{$}}
// CHECK-DAG:   line [[@LINE+12]]: side by side on lanes, where it finds these apart when it begins: 'row' and 'from'
static int move(point* of, const int count, float by) {
  constexpr int twice = 2;
  const int all(count * twice);
  point last{};
  for (int i = 0; i < count; ++i) {
    const float half = by / 2;
    of[i].x += half;
    of[i].y = of[i].x * static_cast<float>(i);
  }
  last.x = of[0].y;
  point *row = of + count, *from = of;
  for (int i = 0; i < count; i += 1) row[i].x = from[i].x + last.x;
  switch (all) {
    case twice: return 1;
    default: return all;
  }
}

template <class T>
static T cube(T x) {
  return x * x * x;
}
static long scale(long* of, long count) {
  long sum = 0;
  for (long i = 0; i != count; ++i) sum += of[i] = cube(of[i]) % 1000;
  return sum;
}
static long scale(int* of, long count) {
  long sum = 1;
  for (auto* p = of; p < of + count; ++p) *p = *p * 3 % 101;
  for (long i = 0; i < count; ++i) sum += of[i];
  return sum;
}

// CHECK-DAG: {{^}}run: lanes of a GPU share its leaves
long run(long* a, int* b, point* p, int count) {
  if (count > 40) {
    long low = cilk_spawn run(a, b, p, count / 2);
    cilk_sync;
    long high = cilk_spawn run(a + count / 2, b + count / 2, p, count - count / 2);
    cilk_sync;
    return low * 7 + high;
  }
  const bool odd = count % 2 != 0;
  long sum = shapes::scale(a, count) + scale(b, count);
  if (odd) sum += move(p, count, 1.5F);
  return sum;
}

}  // namespace shapes

int main() {
  constexpr int n = 300;
  auto* a = static_cast<long*>(std::calloc(n, sizeof(long)));
  auto* b = static_cast<int*>(std::calloc(n, sizeof(int)));
  auto* p = static_cast<shapes::point*>(std::calloc(n, sizeof(shapes::point)));
  for (int i = 0; i < n; ++i) {
    a[i] = i % 17;
    b[i] = i % 23;
  }
  const long sum = shapes::run(a, b, p, n);
  long hash = 0;
  double total = 0;
  for (int i = 0; i < n; ++i) {
    hash = hash * 31 + a[i] + b[i];
    total += static_cast<double>(p[i].x) * i + static_cast<double>(p[i].y);
  }
  std::printf("%ld %ld %.17g\n", sum, hash, total);
  std::free(p);
  std::free(b);
  std::free(a);
}
