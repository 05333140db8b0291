#pragma once

#include <cstddef>  // ptrdiff_t
#include <cstdint>  // fixed-width integers

#include "block.hpp"
#include "channels/config.hpp"
#include "tensor_product.hpp"

/// The lanes of a group multiply blocks together (channels/leaf.hpp).
namespace tasks {

/// How a group of `Lanes` lanes keeps a tile of sums in its registers. The lanes are a grid, and
/// each has groups of four rows and of four columns, whose distance is the width of the grid. So
/// neighbouring lanes read neighbouring memory.
template <std::uint32_t Lanes>
struct product_tile {
  static constexpr int four = 4;
  static constexpr int grid_columns = Lanes >= 64 ? 8 : Lanes >= 32 ? 4 : Lanes >= 4 ? 2 : 1;
  static constexpr int grid_rows = static_cast<int>(Lanes) / grid_columns;
  static constexpr int lane_rows = 8;
  static constexpr int lane_columns = 16;
  static constexpr int rows = lane_rows * grid_rows;
  static constexpr int columns = lane_columns * grid_columns;
  /// Rows of `b`, and columns of `a`, that are in the group's memory at a time.
  static constexpr int depth = 4;
  /// Rows have a little room between them, so that lanes that store columns use different banks.
  static constexpr int a_stride = rows + four;
  static constexpr int b_stride = columns + four;
  static constexpr std::size_t bytes =
      static_cast<std::size_t>(depth) * (a_stride + b_stride) * sizeof(float);
};
/// Enough for groups of up to 64 lanes.
inline constexpr std::size_t product_bytes = product_tile<64>::bytes;

struct alignas(16) four_floats {
  float of[4];
};
/// Four numbers, aligned to 16 bytes. (Not memcpy, which nvcc does byte by byte.)
CHANNELS_DEVICE inline four_floats load_four(const float* from) {
  return *reinterpret_cast<const four_floats*>(from);
}
CHANNELS_DEVICE inline void store_four(float* to, const four_floats& v) {
  *reinterpret_cast<four_floats*>(to) = v;
}

/// Computes tiles of the product, one after the other.
template <class Group, class Tile = product_tile<Group::size()>>
class tile_product {
 public:
  static constexpr int rows = Tile::rows;
  static constexpr int columns = Tile::columns;
  /// Number of products that are summed in registers. It is the host's order of the sums, too.
  static constexpr std::ptrdiff_t most_depth = PTRDIFF_MAX;

  CHANNELS_DEVICE tile_product(Group& group, block a, block b)
      : group_(group),
        a_(a),
        b_(b),
        a_part_(group.template memory<float>()),
        b_part_(a_part_ + Tile::depth * Tile::a_stride),
        row_(static_cast<int>(group.rank()) / Tile::grid_columns * four),
        column_(static_cast<int>(group.rank()) % Tile::grid_columns * four) {}

  /// Begins the tile at row `i` and column `j`, with column `k` of `a`: starts its first loads.
  CHANNELS_DEVICE void begin(std::ptrdiff_t i, std::ptrdiff_t j, std::ptrdiff_t k) {
    i_ = i;
    j_ = j;
    k_ = k;
    fetch(k_);
  }
  /// Sums the products of `size` columns of `a` with as many rows of `b`.
  CHANNELS_DEVICE void add(std::ptrdiff_t size) {
    CHANNELS_UNROLL
    for (auto& row : sums_) {
      CHANNELS_UNROLL
      for (float& sum : row) sum = 0;
    }
    for (std::ptrdiff_t k = 0; k < size; k += Tile::depth) {
      group_.sync();  // no lane reads the part before any more
      put();
      group_.sync();
      // This load is under way while the group multiplies.
      if (k + Tile::depth < size) fetch(k_ + k + Tile::depth);
      CHANNELS_UNROLL
      for (int d = 0; d < Tile::depth; ++d) multiply(d);
    }
  }
  /// Adds the sums to the tile of `c` that begins at this place.
  CHANNELS_DEVICE void add_to(block c, std::ptrdiff_t i, std::ptrdiff_t j) const {
    CHANNELS_UNROLL
    for (int r = 0; r < Tile::lane_rows; ++r) {
      float* const row = c.row(i + row_ + r / four * Tile::grid_rows * four + r % four) + j;
      CHANNELS_UNROLL
      for (int q = 0; q < Tile::lane_columns / four; ++q) {
        float* const to = row + column_ + q * Tile::grid_columns * four;
        four_floats v = load_four(to);
        CHANNELS_UNROLL
        for (int t = 0; t < four; ++t) v.of[t] += sums_[r][q * four + t];
        store_four(to, v);
      }
    }
  }

 private:
  static constexpr int four = Tile::four;
  static constexpr int lanes = Tile::grid_rows * Tile::grid_columns;
  static constexpr int a_pieces = Tile::rows * Tile::depth / four / lanes;
  static constexpr int b_pieces = Tile::columns * Tile::depth / four / lanes;
  static constexpr int pieces_of_a_row = Tile::depth / four;
  static constexpr int pieces_of_b_row = Tile::columns / four;

  CHANNELS_DEVICE void fetch(std::ptrdiff_t k) {
    const int rank = static_cast<int>(group_.rank());
    CHANNELS_UNROLL
    for (int p = 0; p < a_pieces; ++p) {
      const int at = rank + p * lanes;
      a_next_[p] = load_four(a_.row(i_ + at / pieces_of_a_row) + k + at % pieces_of_a_row * four);
    }
    CHANNELS_UNROLL
    for (int p = 0; p < b_pieces; ++p) {
      const int at = rank + p * lanes;
      b_next_[p] = load_four(b_.row(k + at / pieces_of_b_row) + j_ + at % pieces_of_b_row * four);
    }
  }
  /// Stores a part of `a` with its columns as rows.
  CHANNELS_DEVICE void put() {
    const int rank = static_cast<int>(group_.rank());
    CHANNELS_UNROLL
    for (int p = 0; p < a_pieces; ++p) {
      const int at = rank + p * lanes;
      CHANNELS_UNROLL
      for (int t = 0; t < four; ++t) {
        a_part_[(at % pieces_of_a_row * four + t) * Tile::a_stride + at / pieces_of_a_row] =
            a_next_[p].of[t];
      }
    }
    CHANNELS_UNROLL
    for (int p = 0; p < b_pieces; ++p) {
      const int at = rank + p * lanes;
      store_four(b_part_ + at / pieces_of_b_row * Tile::b_stride + at % pieces_of_b_row * four,
                 b_next_[p]);
    }
  }
  CHANNELS_DEVICE void multiply(int d) {
    four_floats left[Tile::lane_rows / four];
    four_floats right[Tile::lane_columns / four];
    CHANNELS_UNROLL
    for (int q = 0; q < Tile::lane_rows / four; ++q)
      left[q] = load_four(a_part_ + d * Tile::a_stride + row_ + q * Tile::grid_rows * four);
    CHANNELS_UNROLL
    for (int q = 0; q < Tile::lane_columns / four; ++q)
      right[q] = load_four(b_part_ + d * Tile::b_stride + column_ + q * Tile::grid_columns * four);
    CHANNELS_UNROLL
    for (int r = 0; r < Tile::lane_rows; ++r) {
      CHANNELS_UNROLL
      for (int t = 0; t < Tile::lane_columns; ++t)
        sums_[r][t] += left[r / four].of[r % four] * right[t / four].of[t % four];
    }
  }

  Group& group_;
  block a_;
  block b_;
  std::ptrdiff_t i_ = 0;
  std::ptrdiff_t j_ = 0;
  std::ptrdiff_t k_ = 0;
  float* a_part_;
  float* b_part_;
  int row_;     ///< the lane's first row of the tile
  int column_;  ///< the lane's first column of the tile
  four_floats a_next_[a_pieces];
  four_floats b_next_[b_pieces];
  float sums_[Tile::lane_rows][Tile::lane_columns];
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
template <class Group>
using best_product = tensor_product<Group>;
#else
template <class Group>
using best_product = tile_product<Group>;
#endif

/// Adds the product of `a`, `size` rows of `depth` columns, and `b`, `depth` rows of `size`
/// columns, to `c`, one tile at a time if tiles fit. Otherwise each lane computes a column at a
/// time, with a few rows of it in registers.
template <class Group>
CHANNELS_DEVICE void group_multiply_add(Group& group, block a, block b, block c,
                                        std::ptrdiff_t size, std::ptrdiff_t depth) {
  using product = best_product<Group>;
  const auto is_aligned = [](const block& m) {
    return (reinterpret_cast<std::uintptr_t>(m.first) |
            static_cast<std::uintptr_t>(m.stride) * sizeof(float)) %
               sizeof(four_floats) ==
           0;
  };
  if (size % product::rows == 0 && size % product::columns == 0 && is_aligned(a) && is_aligned(b) &&
      is_aligned(c)) {
    product tile(group, a, b);
    std::ptrdiff_t i = 0;
    std::ptrdiff_t j = 0;
    std::ptrdiff_t k = 0;
    tile.begin(i, j, k);
    while (i < size) {
      const std::ptrdiff_t left = depth - k;
      const std::ptrdiff_t now = left < product::most_depth ? left : product::most_depth;
      tile.add(now);
      const std::ptrdiff_t row = i;
      const std::ptrdiff_t column = j;
      k += now;
      if (k == depth) {
        k = 0;
        j += product::columns;
      }
      if (j == size) {
        j = 0;
        i += product::rows;
      }
      // The next tile's loads are under way while this one is written.
      if (i < size) tile.begin(i, j, k);
      tile.add_to(c, row, column);
    }
    return;
  }
  constexpr std::ptrdiff_t rows = block_unit;
  for (std::ptrdiff_t j = group.rank(); j < size; j += group.size()) {
    for (std::ptrdiff_t i = 0; i < size; i += rows) {
      float sums[rows] = {};
      for (std::ptrdiff_t k = 0; k < depth; ++k) {
        const float right = b.row(k)[j];
        for (std::ptrdiff_t r = 0; r < rows; ++r) sums[r] += a.row(i + r)[k] * right;
      }
      for (std::ptrdiff_t r = 0; r < rows; ++r) c.row(i + r)[j] += sums[r];
    }
  }
}

}  // namespace tasks
