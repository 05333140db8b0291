#pragma once

#include <cstddef>  // ptrdiff_t

#include "block.hpp"
#include "channels/leaf.hpp"
#include "group_multiply.hpp"

namespace tasks {

/// Adds the product of `a` and `b` to `c`, by the definition. It sums four rows at a time, each in
/// an array that fits vector registers. It is not inlined: compilers then vectorise it better.
[[gnu::noinline]] inline void multiply_add(block a, block b, block c, std::ptrdiff_t size) {
  for (std::ptrdiff_t i = 0; i < size; i += 4) {
    for (std::ptrdiff_t j = 0; j < size; j += block_unit) {
      float sums_0[block_unit] = {};
      float sums_1[block_unit] = {};
      float sums_2[block_unit] = {};
      float sums_3[block_unit] = {};
      for (std::ptrdiff_t k = 0; k < size; ++k) {
        const float* const right = b.row(k) + j;
        const float left_0 = a.row(i)[k];
        const float left_1 = a.row(i + 1)[k];
        const float left_2 = a.row(i + 2)[k];
        const float left_3 = a.row(i + 3)[k];
        for (std::ptrdiff_t t = 0; t < block_unit; ++t) {
          sums_0[t] += left_0 * right[t];
          sums_1[t] += left_1 * right[t];
          sums_2[t] += left_2 * right[t];
          sums_3[t] += left_3 * right[t];
        }
      }
      for (std::ptrdiff_t t = 0; t < block_unit; ++t) {
        c.row(i)[j + t] += sums_0[t];
        c.row(i + 1)[j + t] += sums_1[t];
        c.row(i + 2)[j + t] += sums_2[t];
        c.row(i + 3)[j + t] += sums_3[t];
      }
    }
  }
}

/// Adds the product of `a` and `b` to `c`, by products of quadrants. The paper calls this workload
/// Strassen (section 7.1), though its 587 wavefronts (table 3) are those of eight products at each
/// of five levels, and not of Strassen's seven. The paper adds them all up atomically. Here the
/// products that share a quadrant of `c` come one after the other, four products at a time. So sums
/// have one order; and an atomic for each element would take five times as long as the products.
///
///     void strassen(struct block a, struct block b, struct block c, long size, long cutoff) {
///       if (size <= cutoff) { multiply_add(a, b, c, size); return; }
///       long half = size / 2;
///       for (int k = 0; k < 2; ++k) {
///         for (int i = 0; i < 2; ++i)
///           for (int j = 0; j < 2; ++j)
///             cilk_spawn strassen(quadrant(a, i, k, half), quadrant(b, k, j, half),
///                                 quadrant(c, i, j, half), half, cutoff);
///         cilk_sync;
///       }
///     }
struct strassen {
  static constexpr const char* name = "strassen";
  using result_type = void;
  struct arguments {
    block a;
    block b;
    block c;
    std::ptrdiff_t size;    // the cutoff, or less, times a power of two; a multiple of the unit
    std::ptrdiff_t cutoff;  // this many rows or fewer are one task
  };
  using frame = arguments;
  using spawns = channels::task_list<strassen>;
  static constexpr std::uint32_t spawn_bound = 4;
  static constexpr std::size_t leaf_memory = product_bytes;

  CHANNELS_DEVICE static bool is_leaf(const arguments& args) { return args.size <= args.cutoff; }
  static void serial_leaf(const arguments& args) {
    multiply_add(args.a, args.b, args.c, args.size);
  }
  template <class Group>
  CHANNELS_DEVICE static void leaf(Group& group, const arguments& args) {
    group_multiply_add(group, args.a, args.b, args.c, args.size, args.size);
  }

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome enter(Lane& lane, const arguments& args) {
    if (is_leaf(args)) return channels::run_leaf<strassen>(lane, args);
    frame* const f = lane.template open<strassen>(4);
    if (f == nullptr) return lane.retry();
    *f = args;
    spawn_products(lane, args, 0);
    return lane.sync(first_products);
  }

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome resume(Lane& lane, frame& f, std::uint32_t point) {
    if (point == second_products) return lane.finish();
    if (!lane.template reserve<strassen>(4)) return lane.yield(point);
    spawn_products(lane, f, 1);
    return lane.sync(second_products);
  }

  /// The k-th product, 0 or 1, that adds to the quadrant of `c` in row `i` and column `j`.
  CHANNELS_DEVICE static arguments product(const arguments& args, int i, int j, int k) {
    const std::ptrdiff_t half = args.size / 2;
    return {args.a.quadrant(i, k, half), args.b.quadrant(k, j, half), args.c.quadrant(i, j, half),
            half, args.cutoff};
  }

 private:
  enum : std::uint32_t { first_products, second_products };

  template <class Lane>
  CHANNELS_DEVICE static void spawn_products(Lane& lane, const arguments& args, int k) {
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) (void)lane.template spawn<strassen>(product(args, i, j, k));
    }
  }
};

/// The same product, but only `c` is cut in quadrants. No product waits for another, and a leaf
/// adds up all of its block of `c` without writing it in between.
///
///     void product(struct block a, struct block b, struct block c, long size, long depth, long cutoff) {
///       if (size <= cutoff) { multiply_add(a, b, c, size, depth); return; }
///       long half = size / 2;
///       for (int i = 0; i < 2; ++i)
///         for (int j = 0; j < 2; ++j)
///           cilk_spawn product(row(a, i * half), column(b, j * half), quadrant(c, i, j, half),
///                              half, depth, cutoff);
///     }
struct product {
  static constexpr const char* name = "product";
  using result_type = void;
  struct arguments {
    block a;
    block b;
    block c;
    std::ptrdiff_t size;   // the cutoff, or less, times a power of two; a multiple of the unit
    std::ptrdiff_t depth;  // columns of a, rows of b; a multiple of the unit
    std::ptrdiff_t cutoff;
  };
  struct frame {};
  using spawns = channels::task_list<product>;
  static constexpr std::uint32_t spawn_bound = 4;
  static constexpr std::size_t leaf_memory = product_bytes;

  CHANNELS_DEVICE static bool is_leaf(const arguments& args) { return args.size <= args.cutoff; }
  template <class Group>
  CHANNELS_DEVICE static void leaf(Group& group, const arguments& args) {
    group_multiply_add(group, args.a, args.b, args.c, args.size, args.depth);
  }

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome enter(Lane& lane, const arguments& args) {
    if (is_leaf(args)) return channels::run_leaf<product>(lane, args);
    if (lane.template open<product>(4) == nullptr) return lane.retry();
    const std::ptrdiff_t half = args.size / 2;
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) {
        arguments part = args;
        part.a.first = args.a.row(i * half);
        part.b.first = args.b.first + j * half;
        part.c = args.c.quadrant(i, j, half);
        part.size = half;
        (void)lane.template spawn<product>(part);
      }
    }
    return lane.sync(1);
  }

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome resume(Lane& lane, frame& /*f*/,
                                                  std::uint32_t /*point*/) {
    return lane.finish();
  }
};

}  // namespace tasks
