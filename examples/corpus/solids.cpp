// Volume of a solid that is put together from others: balls and boxes, their unions, intersections
// and differences, moved and repeated. Each kind of solid is a class with a virtual function that
// says how far a point is from the surface. An octree of cubes finds the volume: a cube that the
// surface cannot cross is inside or outside as a whole, and any other is divided.
#include <cilk/cilk.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "timing.h"

struct point {
  double x, y, z;
};

static point operator-(point a, point b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

class solid {
 public:
  virtual ~solid() = default;
  // Below 0 inside; no point of the surface is nearer than this.
  virtual double distance(point p) const = 0;
  // Whether the surface may be nearer than that.
  virtual bool is_near(point p, double reach) const { return std::fabs(distance(p)) <= reach; }
};

namespace {

class ball final : public solid {
 public:
  ball(point center, double radius) : center_(center), radius_(radius) {}
  double distance(point p) const override {
    const point from = p - center_;
    return std::sqrt(from.x * from.x + from.y * from.y + from.z * from.z) - radius_;
  }

 private:
  point center_;
  double radius_;
};

class box : public solid {
 public:
  explicit box(point half) : half_(half) {}
  double distance(point p) const override {
    const double x = std::fabs(p.x) - half_.x;
    const double y = std::fabs(p.y) - half_.y;
    const double z = std::fabs(p.z) - half_.z;
    const double most = x > y ? (x > z ? x : z) : (y > z ? y : z);
    return most;
  }

 private:
  point half_;
};

// Two solids, of which something is made.
class pair_of_solids : public solid {
 public:
  pair_of_solids(const solid* a, const solid* b) : a_(a), b_(b) {}

 protected:
  const solid* a_;
  const solid* b_;
};

class either : public pair_of_solids {
 public:
  using pair_of_solids::pair_of_solids;
  double distance(point p) const override {
    const double a = a_->distance(p), b = b_->distance(p);
    return a < b ? a : b;
  }
  bool is_near(point p, double reach) const override {
    return a_->is_near(p, reach) || b_->is_near(p, reach);
  }
};

class both : public pair_of_solids {
 public:
  using pair_of_solids::pair_of_solids;
  double distance(point p) const override {
    const double a = a_->distance(p), b = b_->distance(p);
    return a > b ? a : b;
  }
};

class without : public pair_of_solids {
 public:
  using pair_of_solids::pair_of_solids;
  double distance(point p) const override {
    const double a = a_->distance(p), b = -b_->distance(p);
    return a > b ? a : b;
  }
};

class moved : public solid {
 public:
  moved(const solid* what, point by) : what_(what), by_(by) {}
  double distance(point p) const override;

 private:
  const solid* what_;
  point by_;
};

double moved::distance(point p) const { return what_->distance(p - by_); }

// The solids of a scene, and all that they are made of.
class scene {
 public:
  template <class Solid, class... Arguments>
  const solid* add(Arguments&&... arguments) {
    all_.push_back(std::make_unique<Solid>(std::forward<Arguments>(arguments)...));
    return all_.back().get();
  }
  std::size_t size() const { return all_.size(); }

 private:
  std::vector<std::unique_ptr<solid>> all_;
};

struct counted {
  long inside;  // smallest cubes
  long cubes;   // that were looked at
};

}  // namespace

// `size`: half of the cube's edge. `depth`: how often it may be divided.
static counted volume(const solid* what, point at, double size, int depth) {
  if (depth == 0 || !what->is_near(at, size * 1.7320508075688774)) {
    const long cubes = 1L << (3 * depth);
    return {what->distance(at) < 0 ? cubes : 0, 1};
  }
  const double half = size / 2;
  counted parts[8];
  for (int i = 0; i < 8; i++) {
    const point inner = {at.x + (i & 1 ? half : -half), at.y + (i & 2 ? half : -half),
                         at.z + (i & 4 ? half : -half)};
    parts[i] = cilk_spawn volume(what, inner, half, depth - 1);
  }
  cilk_sync;
  counted all = {0, 1};
  for (int i = 0; i < 8; i++) {
    all.inside += parts[i].inside;
    all.cubes += parts[i].cubes;
  }
  return all;
}

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  const int depth = argc > 1 ? std::atoi(argv[1]) : 5;
  if (depth < 1 || depth > 12) return 2;

  scene made;
  const solid* const ring =
      made.add<without>(made.add<ball>(point{0, 0, 0}, 0.8), made.add<ball>(point{0, 0, 0}, 0.6));
  const solid* const plate = made.add<box>(point{0.9, 0.9, 0.1});
  const solid* const cut = made.add<both>(ring, made.add<moved>(plate, point{0, 0, 0.3}));
  const solid* whole = made.add<either>(cut, made.add<ball>(point{0.1, 0.2, 0.1}, 0.25));
  for (int i = 0; i < 6; i++) {
    const double x = 0.25 * i - 0.6;
    whole = made.add<either>(whole, made.add<moved>(made.add<box>(point{0.05, 0.4, 0.05}),
                                                    point{x, 0.1 * i - 0.2, -0.5}));
  }

  timing_begin();
  const counted found = volume(whole, {0, 0, 0}, 1, depth);
  timing_end();

  const double cubes = std::ldexp(1.0, 3 * depth);
  std::printf("%zu solids, depth %d: %ld of %.0f cubes inside, %ld looked at, volume %.4f\n",
              made.size(), depth, found.inside, cubes, found.cubes,
              8 * static_cast<double>(found.inside) / cubes);
  return 0;
}
