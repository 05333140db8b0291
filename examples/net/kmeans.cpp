// k-means: each place has a part of the points. In each iteration it adds up those nearest to each
// centre, block by block, and sends the sums to the place that looks after the centre. That place
// sends the new centre to all.
//
//   kmeans [--places 4] [--points N] [--clusters 8] [--iterations 10] [--transport threads|mpi]
//
// Coordinates are whole numbers, so sums are the same in any order: the centres are compared with
// those of a serial program.

#include <array>    // array
#include <cstdint>  // fixed-width integers
#include <vector>   // vector

#include "channels/graph.hpp"
#include "places.hpp"

namespace {

constexpr std::uint32_t dimensions = 4;
constexpr std::uint32_t most_clusters = 64;
constexpr std::uint64_t block = 4096;  ///< points whose sums travel together

using point = std::array<std::int32_t, dimensions>;

/// Points gather around 13 places, so that there is something to find.
point point_of(std::uint64_t i) {
  point p{};
  for (std::uint32_t d = 0; d < dimensions; ++d) {
    const std::uint64_t around = examples::scramble(i % 13 * dimensions + d) % 100'000;
    p[d] = static_cast<std::int32_t>(around + examples::scramble(i * dimensions + d) % 20'000);
  }
  return p;
}

/// The points of one cluster, added up; or, with `count` 1, its centre.
struct cluster_sum {
  std::array<std::int64_t, dimensions> sums{};
  std::uint64_t count = 0;
  std::uint32_t cluster = 0;

  void add(const cluster_sum& other) {
    for (std::uint32_t d = 0; d < dimensions; ++d) sums[d] += other.sums[d];
    count += other.count;
  }
  /// The middle of the points, or `before` if there is none.
  [[nodiscard]] point centre(const point& before) const {
    point p = before;
    for (std::uint32_t d = 0; d < dimensions && count != 0; ++d)
      p[d] = static_cast<std::int32_t>(sums[d] / static_cast<std::int64_t>(count));
    return p;
  }
};

std::uint32_t nearest(const point& p, const std::vector<point>& centres) {
  std::uint32_t best = 0;
  std::int64_t least = INT64_MAX;
  for (std::uint32_t k = 0; k < centres.size(); ++k) {
    std::int64_t distance = 0;
    for (std::uint32_t d = 0; d < dimensions; ++d) {
      const std::int64_t apart = std::int64_t{p[d]} - centres[k][d];
      distance += apart * apart;
    }
    if (distance < least) {
      least = distance;
      best = k;
    }
  }
  return best;
}

/// Assigns a block of points after the other.
struct assign {
  std::uint64_t first;  ///< of this place's points
  const std::vector<point>* points;
  const std::vector<point>* centres;

  template <class Lane, class Out>
  channels::outcome operator()(Lane& lane, const examples::range& r, Out& out) const {
    const auto clusters = static_cast<std::uint32_t>(centres->size());
    for (std::uint64_t begin = r.next; begin < r.end; begin += block) {
      if (!out.reserve(clusters)) return lane.retry({begin, r.end});
      std::array<cluster_sum, most_clusters> found{};
      for (std::uint64_t i = begin; i < begin + block && i < r.end; ++i) {
        const point& p = (*points)[i - first];
        cluster_sum& one = found[nearest(p, *centres)];
        for (std::uint32_t d = 0; d < dimensions; ++d) one.sums[d] += p[d];
        ++one.count;
      }
      for (std::uint32_t k = 0; k < clusters; ++k) {
        found[k].cluster = k;
        out.push(found[k]);
      }
    }
    return lane.done();
  }
};

/// Adds what comes for a cluster.
struct add_up {
  std::vector<cluster_sum>* sums;
  template <class Lane>
  void operator()(Lane& /*lane*/, const cluster_sum& s) const {
    (*sums)[s.cluster].add(s);
  }
};

/// Takes a new centre.
struct take_centre {
  std::vector<point>* centres;
  template <class Lane>
  void operator()(Lane& /*lane*/, const cluster_sum& s) const {
    (*centres)[s.cluster] = s.centre((*centres)[s.cluster]);
  }
};

std::vector<point> first_centres(std::uint32_t clusters) {
  std::vector<point> centres;
  for (std::uint32_t k = 0; k < clusters; ++k) centres.push_back(point_of(k));
  return centres;
}

std::vector<point> serial_centres(const std::vector<point>& points, std::uint32_t clusters,
                                  std::uint64_t iterations) {
  std::vector<point> centres = first_centres(clusters);
  for (std::uint64_t t = 0; t < iterations; ++t) {
    std::vector<cluster_sum> sums(clusters);
    for (const point& p : points) {
      cluster_sum& one = sums[nearest(p, centres)];
      for (std::uint32_t d = 0; d < dimensions; ++d) one.sums[d] += p[d];
      ++one.count;
    }
    for (std::uint32_t k = 0; k < clusters; ++k) centres[k] = sums[k].centre(centres[k]);
  }
  return centres;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t points = examples::number(argc, argv, "--points", 200'000);
  const auto clusters = static_cast<std::uint32_t>(examples::number(argc, argv, "--clusters", 8));
  const std::uint64_t iterations = examples::number(argc, argv, "--iterations", 10);
  return examples::at_places(argc, argv, [&](const channels::world& w) {
    if (clusters == 0 || clusters > most_clusters)
      throw channels::error("kmeans: from 1 to 64 clusters");
    const examples::slices mine(points, w.places());
    std::vector<point> here(mine.size(w.here()));
    for (std::uint64_t i = 0; i < here.size(); ++i) here[i] = point_of(mine.first(w.here()) + i);
    std::vector<point> centres = first_centres(clusters);
    std::vector<cluster_sum> sums(clusters);

    channels::runtime on(examples::one_unit());
    channels::graph assigning(on, w, "assign");
    const auto parts = assigning.channel<examples::range>("parts", 16);
    const auto arrive = assigning.channel<cluster_sum>("sums", 4096);
    const auto to_owner = assigning.far(
        arrive, channels::owner([&w](const cluster_sum& s) { return s.cluster % w.places(); }));
    assigning.kernel("assign", parts, assign{mine.first(w.here()), &here, &centres},
                     channels::up_to(clusters, to_owner));
    assigning.kernel("add", arrive, add_up{&sums});

    channels::graph moving(on, w, "move");
    const auto moved = moving.channel<cluster_sum>("centres", most_clusters);
    const auto to_all = moving.far(moved, channels::all());
    moving.kernel("take", moved, take_centre{&centres});

    const double took = examples::seconds([&] {
      for (std::uint64_t t = 0; t < iterations; ++t) {
        sums.assign(clusters, {});
        assigning.push(parts, {mine.first(w.here()), mine.end(w.here())});
        assigning.execute();
        assigning.wait();
        for (std::uint32_t k = w.here(); k < clusters; k += w.places()) {
          sums[k].cluster = k;
          moving.push(to_all, sums[k]);
        }
        moving.execute();
        moving.wait();
      }
    });
    std::vector<point> all(points);
    for (std::uint64_t i = 0; i < points; ++i) all[i] = point_of(i);
    std::vector<point> reference;
    const double serially =
        examples::seconds([&] { reference = serial_centres(all, clusters, iterations); });
    return examples::report(w, static_cast<double>(points * iterations), "points", took, serially,
                            examples::everywhere(on, w, centres == reference));
  });
}
