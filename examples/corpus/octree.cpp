// Potential of bodies in an octree, whose nodes are made where the tree grows. Loops and work on
// nodes are templates that take lambdas.
#include <cilk/cilk.h>

#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "timing.h"

namespace {

struct vec {
  double x = 0, y = 0, z = 0;
  vec operator+(const vec& o) const { return {x + o.x, y + o.y, z + o.z}; }
  vec operator-(const vec& o) const { return {x - o.x, y - o.y, z - o.z}; }
  vec operator*(double k) const { return {x * k, y * k, z * k}; }
  double length() const { return std::sqrt(x * x + y * y + z * z); }
};

struct body {
  vec at;
  double mass = 1;
};

template <class Body>
void parallel_for(int low, int high, const Body& work) {
  if (high - low <= 16) {
    for (int i = low; i < high; ++i) work(i);
    return;
  }
  const int middle = low + (high - low) / 2;
  cilk_spawn parallel_for(low, middle, work);
  parallel_for(middle, high, work);
  cilk_sync;
}

class octree {
 public:
  octree(const vec& centre, double half) : centre_(centre), half_(half) {}
  octree(const octree&) = delete;
  octree& operator=(const octree&) = delete;
  ~octree() {
    for (octree* one : parts_) delete one;
  }

  // Sorts the bodies into octants, `other` is as large; each octant becomes a node.
  void build(body* bodies, body* other, int n, int depth) {
    bodies_ = bodies;
    count_ = n;
    for (int i = 0; i < n; ++i) {
      mass_ += bodies[i].mass;
      balance_ = balance_ + bodies[i].at * bodies[i].mass;
    }
    balance_ = balance_ * (1 / mass_);
    if (n <= 8 || depth == 20) return;
    const auto octant = [this](const vec& at) {
      return (at.x > centre_.x ? 1 : 0) + (at.y > centre_.y ? 2 : 0) + (at.z > centre_.z ? 4 : 0);
    };
    std::array<int, 9> begin{};
    for (int i = 0; i < n; ++i) ++begin[octant(bodies[i].at) + 1];
    for (int o = 0; o < 8; ++o) begin[o + 1] += begin[o];
    std::array<int, 9> next = begin;
    for (int i = 0; i < n; ++i) other[next[octant(bodies[i].at)]++] = bodies[i];
    for (int i = 0; i < n; ++i) bodies[i] = other[i];
    for (int o = 0; o < 8; ++o) {
      const int k = begin[o + 1] - begin[o];
      if (k == 0) continue;
      const double quarter = half_ / 2;
      const vec centre = centre_ + vec{o & 1 ? quarter : -quarter, o & 2 ? quarter : -quarter,
                                       o & 4 ? quarter : -quarter};
      parts_[o] = new octree(centre, quarter);
      cilk_spawn parts_[o]->build(bodies + begin[o], other + begin[o], k, depth + 1);
    }
    cilk_sync;
  }

  // The sum of mass / distance over all bodies but those at `from`; what is far counts as one.
  double potential(const vec& from) const {
    const double distance = (balance_ - from).length();
    if (distance > 4 * half_) return mass_ / distance;
    double sum = 0;
    bool parted = false;
    for (const octree* one : parts_) {
      if (one == nullptr) continue;
      sum += one->potential(from);
      parted = true;
    }
    if (parted) return sum;
    for (int i = 0; i < count_; ++i) {
      const double d = (bodies_[i].at - from).length();
      if (d > 0) sum += bodies_[i].mass / d;
    }
    return sum;
  }

 private:
  vec centre_, balance_;
  double half_, mass_ = 0;
  body* bodies_ = nullptr;
  int count_ = 0;
  octree* parts_[8] = {};
};

}  // namespace

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  const int n = argc > 1 ? std::atoi(argv[1]) : 1000;
  std::vector<body> bodies(n), other(n);
  std::vector<double> found(n);
  unsigned seed = 7;
  const auto random = [&] {
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) / 16777216.0;
  };
  for (body& one : bodies) {
    one.at = {random(), random(), random()};
    one.mass = 1 + random();
  }
  timing_begin();
  octree root({0.5, 0.5, 0.5}, 0.5);
  root.build(bodies.data(), other.data(), n, 0);
  parallel_for(0, n, [&](int i) { found[i] = root.potential(bodies[i].at); });
  // A tenth of the bodies, one with all others.
  std::atomic<int> wrong{0};
  cilk_for (int i = 0; i < n; i += 10) {
    double sum = 0;
    for (int j = 0; j < n; ++j) {
      if (j != i) sum += bodies[j].mass / (bodies[j].at - bodies[i].at).length();
    }
    if (std::abs(sum - found[i]) > 0.02 * sum) ++wrong;
  }
  timing_end();
  double all = 0;
  for (const double one : found) all += one;
  std::printf("octree %d: potential %.6f, %d far from the sum\n", n, all / n, wrong.load());
  return wrong.load() == 0 ? 0 : 1;
}
