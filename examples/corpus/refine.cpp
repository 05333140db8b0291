// Refines a mesh of triangles until they are small near a curve: in each round, triangles that are
// too large mark their longest edges, marks spread until no triangle has one but on its longest
// edge as well, and each triangle is cut along its marks. Reducers count and measure.
#include <cilk/cilk.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_opadd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "timing.h"

// On a grid of 2^20 units a side, so that all is exact.
struct point {
  long x = 0, y = 0;
};

static long square_of_distance(const point& a, const point& b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

class mesh {
 public:
  // Two triangles in each square of a grid.
  explicit mesh(int side) {
    const long unit = (1L << 20) / side;
    for (int j = 0; j <= side; ++j)
      for (int i = 0; i <= side; ++i) points_.push_back({i * unit, j * unit});
    for (int j = 0; j < side; ++j)
      for (int i = 0; i < side; ++i) {
        const int a = j * (side + 1) + i, b = a + 1, c = a + side + 1, d = c + 1;
        triangles_.push_back({{a, b, d}, {}});
        triangles_.push_back({{a, d, c}, {}});
      }
  }

  // Returns how many triangles were too large.
  long refine(long limit) {
    number_edges();
    marked_.assign(edges_.size(), 0);
    cilk::reducer<cilk::op_add<long>> large(0);
    cilk_for (std::size_t t = 0; t < triangles_.size(); ++t) {
      if (is_large(triangles_[t], limit)) {
        mark(longest_edge(triangles_[t]));
        *large += 1;
      }
    }
    while (spread()) {
    }
    place_midpoints();
    cut();
    return large.get_value();
  }

  std::size_t size() const { return triangles_.size(); }
  std::size_t points() const { return points_.size(); }

  long largest() const {
    cilk::reducer<cilk::op_max<long>> most(0);
    cilk_for (auto t = triangles_.begin(); t != triangles_.end(); ++t) {
      most->calc_max(twice_area(*t));
    }
    return most.get_value();
  }

  // Twice the area of all triangles; each is counter-clockwise.
  long area(std::size_t begin, std::size_t end) const {
    if (end - begin <= 64) {
      long sum = 0;
      for (; begin < end; ++begin) sum += twice_area(triangles_[begin]);
      return sum;
    }
    const std::size_t middle = begin + (end - begin) / 2;
    const long low = cilk_spawn area(begin, middle);
    const long high = area(middle, end);
    cilk_sync;
    return low + high;
  }

  // Whether each edge inside belongs to two triangles.
  bool conforms() {
    number_edges();
    std::vector<int> uses(edges_.size(), 0);
    for (const triangle& t : triangles_)
      for (const int e : t.edge) ++uses[e];
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      const point &a = points_[edges_[e].first], &b = points_[edges_[e].second];
      const bool at_border = (a.x == b.x && (a.x == 0 || a.x == 1L << 20)) ||
                             (a.y == b.y && (a.y == 0 || a.y == 1L << 20));
      if (uses[e] != (at_border ? 1 : 2)) return false;
    }
    return true;
  }

  std::uint32_t hash() const {
    std::uint32_t h = 0;
    for (const triangle& t : triangles_)
      for (const int c : t.corner) h = (h * 31 + points_[c].x % 10007) * 31 + points_[c].y % 10007;
    return h;
  }

 private:
  struct triangle {
    std::array<int, 3> corner;
    std::array<int, 3> edge;  // edge[i] goes from corner i to the next one
  };

  long twice_area(const triangle& t) const {
    const point &a = points_[t.corner[0]], &b = points_[t.corner[1]], &c = points_[t.corner[2]];
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  }

  // Near the curve y = x * x they have to be small.
  bool is_large(const triangle& t, long limit) const {
    int below = 0;
    for (const int c : t.corner) below += (points_[c].y << 20) < points_[c].x * points_[c].x;
    return below % 3 != 0 && twice_area(t) > limit;
  }

  int longest_edge(const triangle& t) const {
    int best = t.edge[0];
    for (const int e : t.edge) {
      const auto length = [this](int which) {
        return square_of_distance(points_[edges_[which].first], points_[edges_[which].second]);
      };
      if (length(e) > length(best) || (length(e) == length(best) && e < best)) best = e;
    }
    return best;
  }

  void mark(int e) { __atomic_store_n(&marked_[e], 1, __ATOMIC_RELAXED); }
  bool is_marked(int e) const { return __atomic_load_n(&marked_[e], __ATOMIC_RELAXED) != 0; }

  void number_edges() {
    std::vector<std::pair<int, int>> all(3 * triangles_.size());
    cilk_for (std::size_t t = 0; t < triangles_.size(); ++t) {
      for (int i = 0; i < 3; ++i) all[3 * t + i] = edge_of(triangles_[t], i);
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    edges_ = std::move(all);
    cilk_for (std::size_t t = 0; t < triangles_.size(); ++t) {
      for (int i = 0; i < 3; ++i)
        triangles_[t].edge[i] =
            std::lower_bound(edges_.begin(), edges_.end(), edge_of(triangles_[t], i)) -
            edges_.begin();
    }
  }

  static std::pair<int, int> edge_of(const triangle& t, int i) {
    return std::minmax({t.corner[i], t.corner[(i + 1) % 3]});
  }

  bool spread() {
    cilk::reducer_opadd<int> more;
    cilk_for (std::size_t t = 0; t < triangles_.size(); ++t) {
      const triangle& one = triangles_[t];
      const int longest = longest_edge(one);
      const bool any = is_marked(one.edge[0]) || is_marked(one.edge[1]) || is_marked(one.edge[2]);
      if (any && !is_marked(longest)) {
        mark(longest);
        more += 1;
      }
    }
    return more.get_value() != 0;
  }

  void place_midpoints() {
    midpoint_.assign(edges_.size(), -1);
    int next = static_cast<int>(points_.size());
    for (std::size_t e = 0; e < edges_.size(); ++e)
      if (marked_[e]) midpoint_[e] = next++;
    points_.resize(next);
    cilk_for (std::size_t e = 0; e < edges_.size(); ++e) {
      if (midpoint_[e] >= 0) {
        const point &a = points_[edges_[e].first], &b = points_[edges_[e].second];
        points_[midpoint_[e]] = {(a.x + b.x) / 2, (a.y + b.y) / 2};
      }
    }
  }

  void cut() {
    std::vector<std::size_t> begin(triangles_.size() + 1);
    for (std::size_t t = 0; t < triangles_.size(); ++t) {
      begin[t + 1] = begin[t] + 1;
      for (const int e : triangles_[t].edge) begin[t + 1] += marked_[e];
    }
    std::vector<triangle> finer(begin.back());
    cilk_for (std::size_t t = 0; t < triangles_.size(); ++t) {
      cut_one(triangles_[t], &finer[begin[t]]);
    }
    triangles_.swap(finer);
  }

  // Along the longest edge first, and then each half along its own, if that is marked.
  void cut_one(const triangle& t, triangle* out) const {
    const int longest = longest_edge(t);
    if (!is_marked(longest)) {
      *out = t;
      return;
    }
    int i = 0;
    while (t.edge[i] != longest) ++i;
    const int a = t.corner[i], b = t.corner[(i + 1) % 3], c = t.corner[(i + 2) % 3];
    const int m = midpoint_[longest];
    const int bc = midpoint_[t.edge[(i + 1) % 3]], ca = midpoint_[t.edge[(i + 2) % 3]];
    const auto put = [&out](int p, int q, int r) { *out++ = {{p, q, r}, {}}; };
    if (ca < 0) {
      put(a, m, c);
    } else {
      put(a, m, ca);
      put(m, c, ca);
    }
    if (bc < 0) {
      put(m, b, c);
    } else {
      put(m, b, bc);
      put(m, bc, c);
    }
  }

  std::vector<point> points_;
  std::vector<triangle> triangles_;
  std::vector<std::pair<int, int>> edges_;
  std::vector<unsigned char> marked_;  // of each edge
  std::vector<int> midpoint_;          // -1: none
};

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 6;
  const int side = argc > 2 ? std::atoi(argv[2]) : 8;
  if (side < 1 || (side & (side - 1)) != 0 || side > 1024) return 1;
  mesh m(side);
  long large = 0;

  timing_begin();
  for (int r = 0; r < rounds; ++r) large += m.refine(1L << 8);
  const long largest = m.largest();
  const long area = m.area(0, m.size());
  timing_end();

  const bool good = area == 1L << 41 && m.conforms();
  std::printf(
      "refine %d x %d, %d rounds: %ld were large, %zu triangles, %zu points, largest %ld, hash "
      "%08x, %s\n",
      side, side, rounds, large, m.size(), m.points(), largest, m.hash(),
      good ? "conforms" : "WRONG");
  return good ? 0 : 1;
}
