// Gravity between n bodies: a class whose member functions have parallel loops, vectors with
// operators, and energies summed by a divide-and-conquer function, so that the sum's order is
// fixed.
#include <cilk/cilk.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "timing.h"

struct vec3 {
  double x = 0, y = 0, z = 0;
  vec3& operator+=(const vec3& o) { return x += o.x, y += o.y, z += o.z, *this; }
  friend vec3 operator+(vec3 a, const vec3& b) { return a += b; }
  friend vec3 operator-(const vec3& a, const vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend vec3 operator*(double s, const vec3& v) { return {s * v.x, s * v.y, s * v.z}; }
  double dot(const vec3& o) const { return x * o.x + y * o.y + z * o.z; }
};

class universe {
 public:
  explicit universe(int n) : bodies_(n), forces_(std::make_unique<vec3[]>(n)) {
    unsigned seed = 11;
    auto next = [&seed] {
      seed = seed * 1664525u + 1013904223u;
      return (seed >> 8) / 16777216.0 - 0.5;
    };
    for (body& b : bodies_) {
      b.at = {next(), next(), next()};
      b.speed = {next() * 0.1, next() * 0.1, next() * 0.1};
      b.mass = (next() + 1.0) / n;
    }
  }

  void step(double dt) {
    const int n = static_cast<int>(bodies_.size());
    cilk_for (int i = 0; i != n; ++i) {
      forces_[i] = force_on(bodies_[i]);
    }
    cilk_for (auto b = bodies_.begin(); b != bodies_.end(); ++b) {
      b->speed += dt * forces_[b - bodies_.begin()];
      b->at += dt * b->speed;
    }
  }

  double kinetic_energy() const { return kinetic(0, bodies_.size()); }
  vec3 momentum() const {
    vec3 p;
    for (const body& b : bodies_) p += b.mass * b.speed;
    return p;
  }

 private:
  struct body {
    vec3 at, speed;
    double mass = 0;
  };

  vec3 force_on(const body& b) const {
    vec3 f;
    for (const body& o : bodies_) {
      const vec3 d = o.at - b.at;
      const double r2 = d.dot(d) + 1e-3;
      f += (o.mass / (r2 * std::sqrt(r2))) * d;
    }
    return f;
  }

  double kinetic(std::size_t begin, std::size_t end) const {
    if (end - begin <= 4) {
      double sum = 0;
      for (; begin < end; ++begin)
        sum += 0.5 * bodies_[begin].mass * bodies_[begin].speed.dot(bodies_[begin].speed);
      return sum;
    }
    const auto middle = begin + (end - begin) / 2;
    double low = cilk_spawn this->kinetic(begin, middle);
    double high = kinetic(middle, end);
    cilk_sync;
    return low + high;
  }

  std::vector<body> bodies_;
  std::unique_ptr<vec3[]> forces_;
};

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  const int n = argc > 1 ? std::atoi(argv[1]) : 200;
  const int steps = argc > 2 ? std::atoi(argv[2]) : 10;
  universe u(n);
  const vec3 before = u.momentum();
  timing_begin();
  for (int i = 0; i < steps; ++i) u.step(0.01);
  const double energy = u.kinetic_energy();
  timing_end();
  const vec3 drift = u.momentum() - before;
  const bool good = std::sqrt(drift.dot(drift)) < 1e-9;
  std::printf("nbody %d, %d steps: kinetic energy %.9f, momentum %s\n", n, steps, energy,
              good ? "kept" : "LOST");
  return good ? 0 : 1;
}
