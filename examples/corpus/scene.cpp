// A scene graph: shapes, unions and moved copies are nodes with virtual functions. Bounds go up the
// graph by children that are spawned, and each pixel of a picture asks the graph what its ray hits.
#include <cilk/cilk.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "timing.h"

struct vec3 {
  double x = 0, y = 0, z = 0;
  friend vec3 operator+(const vec3& a, const vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend vec3 operator-(const vec3& a, const vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend vec3 operator*(double s, const vec3& v) { return {s * v.x, s * v.y, s * v.z}; }
  double dot(const vec3& o) const { return x * o.x + y * o.y + z * o.z; }
};

struct ray {
  vec3 from, way;  // way has length 1
};

struct hit {
  double at = 1e30;
  vec3 normal;
  int colour = 0;
};

struct sphere_bound {
  vec3 centre;
  double radius = 0;
  bool missed_by(const ray& r) const {
    const vec3 to = centre - r.from;
    const double along = to.dot(r.way);
    return to.dot(to) - along * along > radius * radius;
  }
};

class node {
 public:
  virtual ~node() = default;
  // Takes r's hit with this node if that is nearer than `nearest`.
  virtual void intersect(const ray& r, hit& nearest) const = 0;
  // Computes the bounds of all below; returns how many shapes these are.
  virtual long prepare() = 0;
  const sphere_bound& bound() const { return bound_; }

 protected:
  sphere_bound bound_;
};

class sphere : public node {
 public:
  sphere(vec3 centre, double radius, int colour)
      : centre_(centre), radius_(radius), colour_(colour) {}
  long prepare() override {
    bound_ = {centre_, radius_};
    return 1;
  }
  void intersect(const ray& r, hit& nearest) const override {
    const vec3 to = centre_ - r.from;
    const double along = to.dot(r.way);
    const double inside = radius_ * radius_ - (to.dot(to) - along * along);
    if (inside < 0) return;
    const double at = along - std::sqrt(inside);
    if (at < 1e-6 || at >= nearest.at) return;
    nearest = {at, (1 / radius_) * (r.from + at * r.way - centre_), colour_};
  }

 private:
  vec3 centre_;
  double radius_;
  int colour_;
};

class disk : public node {
 public:
  disk(vec3 centre, vec3 normal, double radius, int colour)
      : centre_(centre), normal_(normal), radius_(radius), colour_(colour) {}
  long prepare() override {
    bound_ = {centre_, radius_};
    return 1;
  }
  void intersect(const ray& r, hit& nearest) const override {
    const double slope = r.way.dot(normal_);
    if (std::abs(slope) < 1e-9) return;
    const double at = (centre_ - r.from).dot(normal_) / slope;
    if (at < 1e-6 || at >= nearest.at) return;
    const vec3 off = r.from + at * r.way - centre_;
    if (off.dot(off) > radius_ * radius_) return;
    nearest = {at, slope < 0 ? normal_ : -1.0 * normal_, colour_};
  }

 private:
  vec3 centre_, normal_;
  double radius_;
  int colour_;
};

class group : public node {
 public:
  void add(std::unique_ptr<node> part) { parts_.push_back(std::move(part)); }
  long prepare() override {
    std::vector<long> counts(parts_.size());
    for (std::size_t i = 0; i < parts_.size(); ++i) counts[i] = cilk_spawn parts_[i]->prepare();
    cilk_sync;
    vec3 middle;
    for (const auto& part : parts_) middle = middle + part->bound().centre;
    bound_ = {(1.0 / static_cast<double>(parts_.size())) * middle, 0};
    for (const auto& part : parts_) {
      const vec3 off = part->bound().centre - bound_.centre;
      bound_.radius = std::max(bound_.radius, std::sqrt(off.dot(off)) + part->bound().radius);
    }
    long sum = 0;
    for (const long count : counts) sum += count;
    return sum;
  }
  void intersect(const ray& r, hit& nearest) const override {
    if (bound_.missed_by(r)) return;
    for (const auto& part : parts_) part->intersect(r, nearest);
  }

 private:
  std::vector<std::unique_ptr<node>> parts_;
};

class moved : public node {
 public:
  moved(std::unique_ptr<node> what, vec3 by) : what_(std::move(what)), by_(by) {}
  long prepare() override {
    const long count = what_->prepare();
    bound_ = {what_->bound().centre + by_, what_->bound().radius};
    return count;
  }
  void intersect(const ray& r, hit& nearest) const override {
    if (bound_.missed_by(r)) return;
    what_->intersect({r.from - by_, r.way}, nearest);
  }

 private:
  std::unique_ptr<node> what_;
  vec3 by_;
};

// The sphere flake: a sphere with smaller ones around it.
static std::unique_ptr<node> flake(double radius, int depth, int colour) {
  auto all = std::make_unique<group>();
  all->add(std::make_unique<sphere>(vec3{}, radius, colour));
  if (depth > 0) {
    const double far = radius * 1.5;
    for (const vec3 way : {vec3{1, 0, 0}, vec3{-1, 0, 0}, vec3{0, 1, 0}, vec3{0, -1, 0},
                           vec3{0, 0, 1}, vec3{0, 0, -1}})
      all->add(std::make_unique<moved>(flake(radius / 2, depth - 1, colour + 1), far * way));
  }
  return all;
}

// Half in the light; in shadow if something is between.
static int shade(const node& scene, const ray& r) {
  hit seen;
  scene.intersect(r, seen);
  if (seen.colour == 0) return 0;
  const vec3 light = {0.48, 0.6, -0.64};
  const double bright = seen.normal.dot(light);
  if (bright <= 0) return seen.colour * 16;
  hit between;
  scene.intersect({r.from + seen.at * r.way + 1e-4 * seen.normal, light}, between);
  if (between.colour != 0) return seen.colour * 16;
  return seen.colour * 16 + 1 + static_cast<int>(bright * 14);
}

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  const int side = argc > 1 ? std::atoi(argv[1]) : 48;
  const int depth = argc > 2 ? std::atoi(argv[2]) : 3;
  auto scene = std::make_unique<group>();
  scene->add(flake(1, depth, 1));
  scene->add(std::make_unique<disk>(vec3{0, -2.5, 0}, vec3{0, 1, 0}, 6, 9));
  std::vector<std::uint8_t> picture(static_cast<std::size_t>(side) * side);

  timing_begin();
  const long shapes = scene->prepare();
  cilk_for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      vec3 way = {(x + 0.5) / side - 0.5, 0.4 - (y + 0.5) / side, 1};
      way = (1 / std::sqrt(way.dot(way))) * way;
      picture[y * side + x] = shade(*scene, {{0.3, 0.7, -6}, way});
    }
  }
  timing_end();

  std::uint32_t hash = 0;
  int lit = 0, sky = 0;
  for (const std::uint8_t colour : picture) {
    hash = hash * 31 + colour;
    lit += colour % 16 != 0;
    sky += colour == 0;
  }
  std::printf("scene of %ld shapes, %d x %d: %d lit, %d sky, hash %08x\n", shapes, side, side, lit,
              sky, hash);
  return lit > 0 && sky > 0 ? 0 : 1;
}
