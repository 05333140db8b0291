#pragma once

#include <cstddef>  // ptrdiff_t
#include <cstdint>  // fixed-width integers

#include "channels/config.hpp"

/// Sorting and merging by the lanes of a group together (channels/leaf.hpp). A tile at a time is in
/// the group's memory, and a share of it in the registers of each lane.
namespace tasks {

/// Elements of a tile for each lane. Odd: lanes that access theirs at once use different banks.
inline constexpr std::uint32_t lane_share = 15;
template <class Group>
inline constexpr std::uint32_t tile_size = lane_share * Group::size();

/// The group's memory, for up to so many lanes.
inline constexpr std::uint32_t most_lanes = 64;
struct sort_memory {
  std::ptrdiff_t ends[most_lanes];
  int near[lane_share * (most_lanes + 2)];  ///< a tile, and what is read behind it in vain
};

/// How many of the first `count` elements of a merge come from `a` (Green, McColl and Bader's merge
/// path).
template <class Index>
CHANNELS_DEVICE Index share_of_first(const int* a, Index a_size, const int* b, Index b_size,
                                     Index count) {
  Index least = count > b_size ? count - b_size : 0;
  Index most = count < a_size ? count : a_size;
  while (least < most) {
    const Index middle = (least + most) / 2;
    if (b[count - 1 - middle] < a[middle]) {
      most = middle;
    } else {
      least = middle + 1;
    }
  }
  return least;
}

/// A lane's elements.
struct lane_elements {
  int of[lane_share];

  /// Sorts them: odd-even transposition, whose comparisons are known when it is compiled.
  CHANNELS_DEVICE void sort() {
    CHANNELS_UNROLL
    for (std::uint32_t round = 0; round < lane_share; ++round) {
      CHANNELS_UNROLL
      for (std::uint32_t i = round % 2; i + 1 < lane_share; i += 2) {
        const int low = of[i] < of[i + 1] ? of[i] : of[i + 1];
        of[i + 1] = of[i] < of[i + 1] ? of[i + 1] : of[i];
        of[i] = low;
      }
    }
  }
  /// Those of the merge of `a` and `b` from the one with number `first` on. It reads as many
  /// elements behind the ends.
  CHANNELS_DEVICE void merge(const int* a, std::uint32_t a_size, const int* b, std::uint32_t b_size,
                             std::uint32_t first) {
    const std::uint32_t size = a_size + b_size;
    std::uint32_t i = share_of_first(a, a_size, b, b_size, first < size ? first : size);
    std::uint32_t j = (first < size ? first : size) - i;
    int x = a[i];
    int y = b[j];
    CHANNELS_UNROLL
    for (int& to : of) {
      const bool from_b = i >= a_size || (j < b_size && y < x);
      to = from_b ? y : x;
      if (from_b) {
        y = b[++j];
      } else {
        x = a[++i];
      }
    }
  }
  CHANNELS_DEVICE void load(const int* from) {
    CHANNELS_UNROLL
    for (std::uint32_t k = 0; k < lane_share; ++k) of[k] = from[k];
  }
  CHANNELS_DEVICE void store(int* to) const {
    CHANNELS_UNROLL
    for (std::uint32_t k = 0; k < lane_share; ++k) to[k] = of[k];
  }
};

/// `write(i, read(i))` for all `i` below `size`, which is at most that of a tile. All that a lane
/// reads first: so it waits once.
template <class Group, class Read, class Write>
CHANNELS_DEVICE void copy_tile(const Group& group, std::uint32_t size, Read read, Write write) {
  int values[lane_share];
  CHANNELS_UNROLL
  for (std::uint32_t k = 0; k < lane_share; ++k) {
    const std::uint32_t i = group.rank() + k * Group::size();
    if (i < size) values[k] = read(i);
  }
  CHANNELS_UNROLL
  for (std::uint32_t k = 0; k < lane_share; ++k) {
    const std::uint32_t i = group.rank() + k * Group::size();
    if (i < size) write(i, values[k]);
  }
}

/// Sorts at most a tile from `from` to `to`, which may be the same.
template <class Group>
CHANNELS_DEVICE void sort_tile(Group& group, const int* from, int* to, std::uint32_t size) {
  constexpr std::uint32_t tile = tile_size<Group>;
  int* const near = group.template memory<sort_memory>()->near;
  // What is missing is larger than all that is there.
  copy_tile(
      group, tile, [&](std::uint32_t i) { return i < size ? from[i] : INT32_MAX; },
      [&](std::uint32_t i, int value) { near[i] = value; });
  group.sync();
  const std::uint32_t first = group.rank() * lane_share;
  lane_elements own;
  own.load(near + first);
  own.sort();
  for (std::uint32_t sorted = lane_share; sorted < tile; sorted *= 2) {
    own.store(near + first);
    group.sync();
    const std::uint32_t start = first / (2 * sorted) * (2 * sorted);
    own.merge(near + start, sorted, near + start + sorted, sorted, first - start);
    group.sync();
  }
  own.store(near + first);
  group.sync();
  copy_tile(
      group, size, [&](std::uint32_t i) { return near[i]; },
      [&](std::uint32_t i, int value) { to[i] = value; });
  group.sync();
}

/// Merges two sorted ranges to `to`: a tile of the result at a time.
template <class Group>
CHANNELS_DEVICE void group_merge(Group& group, const int* a, std::ptrdiff_t a_size, const int* b,
                                 std::ptrdiff_t b_size, int* to) {
  constexpr std::ptrdiff_t tile = tile_size<Group>;
  auto* const memory = group.template memory<sort_memory>();
  int* const near = memory->near;
  const std::ptrdiff_t size = a_size + b_size;
  const std::uint32_t rank = group.rank();
  std::ptrdiff_t from_a = 0;  // elements of `a` in all tiles before
  for (std::ptrdiff_t done = 0; done < size; done += tile) {
    const auto number = static_cast<std::uint32_t>(done / tile % group.size());
    if (number == 0) {
      // Where the next tiles end in `a`, each lane for one.
      const std::ptrdiff_t end = done + tile * (rank + 1);
      memory->ends[rank] = share_of_first(a, a_size, b, b_size, end < size ? end : size);
      group.sync();
    }
    const auto count = static_cast<std::uint32_t>(size - done < tile ? size - done : tile);
    const auto count_a = static_cast<std::uint32_t>(memory->ends[number] - from_a);
    const int* const tile_a = a + from_a;
    const int* const tile_b = b + (done - from_a) - count_a;  // as `near` has them
    copy_tile(
        group, count, [&](std::uint32_t i) { return i < count_a ? tile_a[i] : tile_b[i]; },
        [&](std::uint32_t i, int value) { near[i] = value; });
    group.sync();
    lane_elements own;
    own.merge(near, count_a, near + count_a, count - count_a, rank * lane_share);
    group.sync();
    own.store(near + rank * lane_share);
    group.sync();
    copy_tile(
        group, count, [&](std::uint32_t i) { return near[i]; },
        [&](std::uint32_t i, int value) { to[done + i] = value; });
    from_a += count_a;
    group.sync();
  }
}

/// Sorts `size` elements; `scratch` has room for as many.
template <class Group>
CHANNELS_DEVICE void group_sort(Group& group, int* data, int* scratch, std::ptrdiff_t size) {
  constexpr std::ptrdiff_t tile = tile_size<Group>;
  bool in_scratch = false;  // so that the last merge is to `data`
  for (std::ptrdiff_t run = tile; run < size; run *= 2) in_scratch = !in_scratch;
  int* from = in_scratch ? scratch : data;
  int* to = in_scratch ? data : scratch;
  for (std::ptrdiff_t i = 0; i < size; i += tile) {
    sort_tile(group, data + i, from + i,
              static_cast<std::uint32_t>(size - i < tile ? size - i : tile));
  }
  for (std::ptrdiff_t run = tile; run < size; run *= 2) {
    for (std::ptrdiff_t i = 0; i < size; i += 2 * run) {
      const std::ptrdiff_t left = size - i;
      const std::ptrdiff_t a_size = left < run ? left : run;
      const std::ptrdiff_t b_size = left < 2 * run ? left - a_size : run;
      group_merge(group, from + i, a_size, from + i + a_size, b_size, to + i);
    }
    int* const merged = to;
    to = from;
    from = merged;
  }
}

}  // namespace tasks
