// Objects that their constructors make in loops, results in braces, `std::atomic`.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --explain --device=emulated --emit=tasks %s -o %t.explained 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks: 3 of 3 functions, 1 of 1 loops
#include <array>
#include <atomic>
#include <cilk/cilk.h>
#include <cstdio>

struct vec {
  double x, y, z;
  vec() : x(0), y(0), z(0) {}
  vec(double a, double b, double c) : x(a), y(b), z(c) {}
  vec operator+(const vec& o) const { return {x + o.x, y + o.y, z + o.z}; }
};

class octree {
 public:
  octree(vec c, double h) : center_(c), half_(h) {}
  ~octree() {
    for (octree* one : children_) delete one;
  }
  void build(const vec* points, int n, int depth) {
    count_ = n;
    if (n <= 4 || depth > 6) return;
    for (int o = 0; o < 8; ++o) {
      int k = n / 8 + (o < n % 8);
      if (k == 0) continue;
      double q = half_ / 2;
      vec c(center_.x + (o & 1 ? q : -q), center_.y + (o & 2 ? q : -q), center_.z + (o & 4 ? q : -q));
      std::array<int, 3> most{};
      most[o % 3] = depth + 1;
      children_[o] = new octree(c, q);
      cilk_spawn children_[o]->build(points, k, most[0] + most[1] + most[2]);
    }
    cilk_sync;
  }
  double sum() const {
    double all = count_ + center_.x;
    for (const octree* one : children_) all += one == nullptr ? 0 : one->sum();
    return all;
  }

 private:
  vec center_;
  double half_;
  octree* children_[8] = {};
  int count_ = 0;
};

using matrix = std::array<std::array<long, 2>, 2>;
static matrix product(int low, int high) {
  if (high - low == 1) return {{{1, low % 3}, {1, 0}}};
  matrix a = cilk_spawn product(low, (low + high) / 2);
  matrix b = product((low + high) / 2, high);
  cilk_sync;
  matrix r{};
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      for (int k = 0; k < 2; ++k) r[i][j] = (r[i][j] + a[i][k] * b[k][j]) % 1000007;
    }
  }
  return r;
}

int main() {
  vec points[1];
  octree root(vec(.5, .5, .5), .5);
  root.build(points, 300, 0);
  std::atomic<int> hits{0};
  std::atomic<unsigned long> most{0};
  cilk_for(int i = 0; i < 300; ++i) {
    if (i % 7 > 3) hits.fetch_add(1, std::memory_order_relaxed);
    if (i % 5 == 0) hits += 2;
    hits++;
    unsigned long seen = most.load();
    const unsigned long wanted = i * 37 % 211;
    while (seen < wanted && !most.compare_exchange_weak(seen, wanted)) {
    }
  }
  const matrix m = product(0, 100);
  std::printf("%.6f %d %lu %ld\n", root.sum(), hits.load(), most.load(), m[0][0]);
}
