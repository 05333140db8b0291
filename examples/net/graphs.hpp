#pragma once

#include <algorithm>  // min, max
#include <cstdint>    // fixed-width integers
#include <string>     // string

#include "places.hpp"

namespace examples {

/// The graphs of the examples: undirected, and of a rule, so that nothing has to be stored or read.
/// They are of the kinds that Gravel's evaluation has.
///
/// - `mesh`: planar, three neighbours at most: a wall of bricks, whose corners are the vertices.
/// - `banded`: nineteen neighbours at most: nine on either side, and one at a distance of 1024.
class rule_graph {
 public:
  static constexpr std::uint32_t most_neighbours = 19;

  /// `vertices`: about so many.
  rule_graph(const std::string& kind, std::uint64_t vertices) : is_mesh_(kind == "mesh") {
    if (!is_mesh_ && kind != "banded")
      throw channels::error("there is no graph '" + kind + "': mesh or banded");
    while (columns_ * columns_ < vertices) columns_ *= 2;
    if (!is_mesh_) columns_ = 2048;
    rows_ = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, vertices / columns_));
  }

  [[nodiscard]] std::uint32_t vertices() const {
    return static_cast<std::uint32_t>(rows_ * columns_);
  }
  /// Neighbours that a vertex may have. At the borders some of the slots are empty.
  [[nodiscard]] std::uint32_t slots() const { return is_mesh_ ? 3 : most_neighbours; }

  /// Calls `take(neighbour)` for the neighbours of `v` from slot `from` on, until it returns false.
  /// Returns the slot of the neighbour that it did not take, or `slots()`.
  template <class Take>
  std::uint32_t neighbours_from(std::uint32_t v, std::uint32_t from, const Take& take) const {
    for (; from < slots(); ++from) {
      const std::uint32_t to = is_mesh_ ? of_mesh(v, from) : of_band(v, from);
      if (to != none && !take(to)) break;
    }
    return from;
  }
  /// Calls `visit(neighbour)` for all of them.
  template <class Visit>
  void each_neighbour(std::uint32_t v, const Visit& visit) const {
    neighbours_from(v, 0, [&](std::uint32_t to) {
      visit(to);
      return true;
    });
  }

  [[nodiscard]] std::uint32_t degree(std::uint32_t v) const {
    std::uint32_t found = 0;
    each_neighbour(v, [&](std::uint32_t /*to*/) { ++found; });
    return found;
  }

  /// The length of an edge, from 1 to 64.
  static std::uint32_t length(std::uint32_t a, std::uint32_t b) {
    const std::uint64_t both = std::uint64_t{std::min(a, b)} << 32U | std::max(a, b);
    return static_cast<std::uint32_t>(scramble(both) % 64) + 1;
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  [[nodiscard]] std::uint32_t of_mesh(std::uint32_t v, std::uint32_t i) const {
    const std::uint64_t row = v / columns_;
    const std::uint64_t column = v % columns_;
    if (i == 0) return column > 0 ? v - 1 : none;
    if (i == 1) return column + 1 < columns_ ? v + 1 : none;
    if ((row + column) % 2 == 0)
      return row + 1 < rows_ ? v + static_cast<std::uint32_t>(columns_) : none;
    return row > 0 ? v - static_cast<std::uint32_t>(columns_) : none;
  }
  [[nodiscard]] std::uint32_t of_band(std::uint32_t v, std::uint32_t i) const {
    if (i == 18) return v ^ 1024U;
    const std::uint32_t distance = i / 2 + 1;
    if (i % 2 == 0) return v >= distance ? v - distance : none;
    return v + distance < vertices() ? v + distance : none;
  }

  bool is_mesh_;
  std::uint64_t columns_ = 2;
  std::uint64_t rows_ = 1;
};

}  // namespace examples
