#pragma once

#include <cstddef>  // ptrdiff_t
#include <cstdint>  // fixed-width integers

#include "block.hpp"

/// A tile of a product by the tensor cores of an NVIDIA GPU, which multiply numbers of 11 bits and
/// add them up in single precision (PTX ISA, mma.m16n8k8 of .tf32). Each factor is the sum of two
/// such numbers, and the four products except the smallest are added. So sums are as exact as those
/// of products in single precision (docs/notebook/2026-11-23-gpu-leaves.md).
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
namespace tasks {

/// A number as the sum of two that tensor cores can multiply: the nearest such number, and the
/// rest. Tensor cores read 11 bits of the rest.
struct split_number {
  std::uint32_t high;
  std::uint32_t low;
};
__device__ inline split_number split(float x) {
  const std::uint32_t high = (__float_as_uint(x) + 0x1000U) & 0xffffe000U;
  return {high, __float_as_uint(x - __uint_as_float(high))};
}

/// Computes tiles of the product, one after the other, with the 32 lanes of a group. The lanes are
/// eight groups of four. The columns of `a` that tensor cores multiply may come in any order, if
/// the rows of `b` come in the same; so may rows and columns of the sums. They are numbered such
/// that a lane's are neighbours in memory.
template <class Group>
class tensor_product {
 public:
  static constexpr int rows = 64;
  static constexpr int columns = 64;
  /// Tensor cores round sums downwards, always. So after this many products in a row the sums are
  /// added to `c`, which rounds to nearest.
  static constexpr std::ptrdiff_t most_depth = 512;
  static_assert(Group::size() == 32);

  __device__ tensor_product(Group& group, block a, block b)
      : eighth_(static_cast<int>(group.rank()) / 4),
        fourth_(static_cast<int>(group.rank()) % 4),
        a_(a),
        b_(b) {}

  /// Begins the tile at row `i` and column `j`, with column `k` of `a`: starts its first loads.
  __device__ void begin(std::ptrdiff_t i, std::ptrdiff_t j, std::ptrdiff_t k) {
    from_a_ = a_.row(i + eighth_) + k + 2 * fourth_;
    from_b_ = b_.row(k + 2 * fourth_) + j + 4 * eighth_;
    fetch(0);
  }
  /// Sums the products of `size` columns of `a` with as many rows of `b`.
  __device__ void add(std::ptrdiff_t size) {
    CHANNELS_UNROLL
    for (auto& row : sums_) {
      CHANNELS_UNROLL
      for (auto& part : row) {
        CHANNELS_UNROLL
        for (float& sum : part) sum = 0;
      }
    }
    for (std::ptrdiff_t k = 0; k < size; k += depth) {
      split_number left[row_tiles][4];
      CHANNELS_UNROLL
      for (int m = 0; m < row_tiles; ++m) {
        left[m][0] = split(a_next_[m][0].x);
        left[m][1] = split(a_next_[m][1].x);
        left[m][2] = split(a_next_[m][0].y);
        left[m][3] = split(a_next_[m][1].y);
      }
      float right[depth / 4][columns / 8];
      CHANNELS_UNROLL
      for (int n = 0; n < columns / 8; ++n) {
        CHANNELS_UNROLL
        for (int r = 0; r < depth / 4; ++r) right[r][n] = part(b_next_[r][n / 4], n % 4);
      }
      // This load is under way while the group multiplies.
      if (k + depth < size) fetch(k + depth);
      CHANNELS_UNROLL
      for (int n = 0; n < columns / 8; ++n) {
        const split_number r[2] = {split(right[0][n]), split(right[1][n])};
        // The small products come first, and no two in a row add to the same sums.
        CHANNELS_UNROLL
        for (int m = 0; m < row_tiles; ++m)
          multiply(sums_[m][n], left[m][0].low, left[m][1].low, left[m][2].low, left[m][3].low,
                   r[0].high, r[1].high);
        CHANNELS_UNROLL
        for (int m = 0; m < row_tiles; ++m)
          multiply(sums_[m][n], left[m][0].high, left[m][1].high, left[m][2].high, left[m][3].high,
                   r[0].low, r[1].low);
        CHANNELS_UNROLL
        for (int m = 0; m < row_tiles; ++m)
          multiply(sums_[m][n], left[m][0].high, left[m][1].high, left[m][2].high, left[m][3].high,
                   r[0].high, r[1].high);
      }
    }
  }
  /// Adds the sums to the tile of `c` that begins at this place.
  __device__ void add_to(block c, std::ptrdiff_t i, std::ptrdiff_t j) const {
    CHANNELS_UNROLL
    for (int m = 0; m < row_tiles; ++m) {
      CHANNELS_UNROLL
      for (int h = 0; h < 2; ++h) {
        float* const row = c.row(i + m * 16 + h * 8 + eighth_) + j + 8 * fourth_;
        CHANNELS_UNROLL
        for (int n = 0; n < columns / 8; n += 4) {
          CHANNELS_UNROLL
          for (int p = 0; p < 2; ++p) {
            auto* const to = reinterpret_cast<float4*>(row + n * 8 + 4 * p);
            float4 v = *to;
            v.x += sums_[m][n][2 * h + p];
            v.y += sums_[m][n + 1][2 * h + p];
            v.z += sums_[m][n + 2][2 * h + p];
            v.w += sums_[m][n + 3][2 * h + p];
            *to = v;
          }
        }
      }
    }
  }

 private:
  /// Number of columns of `a` that are loaded at a time.
  static constexpr int depth = 8;
  static constexpr int row_tiles = rows / 16;

  __device__ void fetch(std::ptrdiff_t k) {
    CHANNELS_UNROLL
    for (int m = 0; m < row_tiles; ++m) {
      CHANNELS_UNROLL
      for (int h = 0; h < 2; ++h)
        a_next_[m][h] =
            *reinterpret_cast<const float2*>(from_a_ + (m * 16 + h * 8) * a_.stride + k);
    }
    CHANNELS_UNROLL
    for (int r = 0; r < depth / 4; ++r) {
      CHANNELS_UNROLL
      for (int q = 0; q < columns / 32; ++q)
        b_next_[r][q] = *reinterpret_cast<const float4*>(from_b_ + (k + r) * b_.stride + q * 32);
    }
  }
  static __device__ float part(const float4& v, int i) {
    return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
  }
  static __device__ void multiply(float (&sums)[4], std::uint32_t a0, std::uint32_t a1,
                                  std::uint32_t a2, std::uint32_t a3, std::uint32_t b0,
                                  std::uint32_t b1) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
  }

  int eighth_;
  int fourth_;
  block a_;
  block b_;
  const float* from_a_ = nullptr;  ///< the lane's first element of the tile
  const float* from_b_ = nullptr;  ///< likewise
  float2 a_next_[row_tiles][2];
  float4 b_next_[depth / 4][columns / 32];
  float sums_[row_tiles][columns / 8][4];
};

}  // namespace tasks
#endif
