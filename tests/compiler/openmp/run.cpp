// OpenMP's tasks and loops in C++: templates, members, references, iterators, a header's function.
// RUN: %cilk2chan -fopenmp-tasks -O1 -w -std=c++17 %s -o %t
// RUN: env CHANNELS_CUS=1 %t | FileCheck %s
// RUN: env CHANNELS_GIVE=always CHANNELS_CUS=2 %t | FileCheck %s
// RUN: env CHANNELS_ORDER=channels %t 2>&1 | FileCheck %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_WIDTH=8 CHANNELS_FORCE_YIELD=0.2 %t | FileCheck %s
// RUN: %cilk2chan -fopenmp-tasks --serial -w %s -o %t.serial && %t.serial | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: 504909 2490.000 0 1008 9455 129 4950 610 328450
// CHECK-NEXT: 9999 4999.500
#include <omp.h>
#include <cstdio>
#include <vector>
#include <algorithm>
#include "inputs/tree.hpp"
#define CUTOFF(n) ((n) > 10)

template <class T> T sum(const std::vector<T>& of, std::size_t from, std::size_t to) {
  if (to - from < 8) { T s = T(); for (std::size_t i = from; i < to; ++i) s += of[i]; return s; }
  T left, right;
  std::size_t half = from + (to - from) / 2;
  #pragma omp task shared(left, of) if (CUTOFF(to - from))
  left = sum(of, from, half);
  #pragma omp task shared(right, of)
  { right = sum(of, half, to); right += 1; }
  #pragma omp taskwait
  return left + right;
}

template <class It> void quick(It first, It last) {
  if (last - first < 16) { std::sort(first, last); return; }
  auto pivot = *(first + (last - first) / 2);
  It middle1 = std::partition(first, last, [pivot](const auto& x) { return x < pivot; });
  It middle2 = std::partition(middle1, last, [pivot](const auto& x) { return !(pivot < x); });
  #pragma omp task
  quick(first, middle1);
  #pragma omp task
  quick(middle2, last);
  #pragma omp taskwait
}

struct tree {
  tree* left = nullptr; tree* right = nullptr; long value = 0; long total = 0;
  void add() {
    if (left != nullptr) {
      #pragma omp task
      left->add();
    }
    if (right)
      #pragma omp task
      { right->add(); }
    #pragma omp taskwait
    total = value + (left ? left->total : 0) + (right ? right->total : 0);
  }
  long count(int depth) const {
    long l = 0, r = 0;
    #pragma omp taskgroup
    {
      #pragma omp task shared(l)
      { if (left) l = left->count(depth + 1); }
      #pragma omp task shared(r)
      { if (right) r = right->count(depth + 1); }
    }
    return 1 + l + r + depth;
  }
};

template <class T> T total_of(const T* of, std::size_t n) {
  T sum = 0, largest = of[0];
  #pragma omp parallel for reduction(+ : sum) reduction(max : largest)
  for (std::size_t i = 0; i < n; ++i) { sum += of[i]; if (of[i] > largest) largest = of[i]; }
  #pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i)
    #pragma omp atomic
    sum += of[i];
  return sum + largest;
}

namespace deep {
static void halves(const long* from, int n, long& result) {
  if (n < 3) { for (int i = 0; i < n; ++i) result += from[i]; return; }
  const int half = n / 2;
  long left = 0, right = 0;
  #pragma omp task shared(left)
  halves(from, half, left);
  halves(from + half, n - half, right);
  #pragma omp taskwait
  result += left + right;
}
}

int main() {
  std::vector<int> v(1000); std::vector<double> d(100);
  for (int i = 0; i < 1000; ++i) v[i] = (i * 7919) % 1009;
  for (int i = 0; i < 100; ++i) d[i] = i * 0.5;
  tree nodes[31];
  for (int i = 0; i < 31; ++i) { nodes[i].value = i * i; if (2 * i + 2 < 31) { nodes[i].left = &nodes[2 * i + 1]; nodes[i].right = &nodes[2 * i + 2]; } }
  long numbers[100], total = 0, h = 0, squares = 0; int s = 0; double ds = 0;
  for (int i = 0; i < 100; ++i) numbers[i] = i;
  #pragma omp parallel
  #pragma omp single
  {
    s = sum(v, 0, v.size());
    ds = sum(d, 0, d.size());
    quick(v.begin(), v.end());
    nodes[0].add();
    deep::halves(numbers, 100, total);
    h = in_header(15);
  }
  std::vector<long> sq(100);
  #pragma omp parallel for
  for (std::size_t i = 0; i < sq.size(); ++i) sq[i] = i * i;
  #pragma omp parallel for
  for (auto it = sq.begin(); it < sq.end(); ++it) *it += 1;
  #pragma omp parallel for reduction(+ : squares)
  for (const long* p = sq.data(); p != sq.data() + 100; ++p) squares += *p;
  #pragma omp parallel for reduction(+ : squares)
  for (unsigned i = 5; i < 3u; ++i) squares += i;
  std::printf("%d %.3f %d %d %ld %ld %ld %ld %ld\n", s, ds, v[0], v[999], nodes[0].total, nodes[0].count(0), total, h, squares);
  std::printf("%ld %.3f\n", total_of(numbers, 100), total_of(d.data(), 100));
  return std::is_sorted(v.begin(), v.end()) ? 0 : 1;
}
