#pragma once

#include <bit>      // has_single_bit
#include <cstddef>  // ptrdiff_t
#include <cstdint>  // fixed-width integers

#include "channels/config.hpp"

/// The lanes of a group sort and merge together (channels/leaf.hpp). One tile at a time is in the
/// lanes' registers. Lanes compare their elements in an order that does not depend on the values
/// (Batcher's bitonic networks, 1968), so that no lane waits for another, nor for what it has read
/// before.
namespace tasks {

/// How many of the first `count` elements of a merge come from `a` (Green, McColl and Bader's merge
/// path).
CHANNELS_DEVICE inline std::ptrdiff_t share_of_first(const int* a, std::ptrdiff_t a_size,
                                                     const int* b, std::ptrdiff_t b_size,
                                                     std::ptrdiff_t count) {
  std::ptrdiff_t least = count > b_size ? count - b_size : 0;
  std::ptrdiff_t most = count < a_size ? count : a_size;
  while (least < most) {
    const std::ptrdiff_t middle = (least + most) / 2;
    if (b[count - 1 - middle] < a[middle]) {
      most = middle;
    } else {
      least = middle + 1;
    }
  }
  return least;
}

/// The same, by the lanes of a group together: with n lanes, each round of loads leaves one of n +
/// 1 parts.
class merge_cut {
 public:
  CHANNELS_DEVICE merge_cut(std::ptrdiff_t a_size, std::ptrdiff_t b_size, std::ptrdiff_t count)
      : count_(count),
        least_(count > b_size ? count - b_size : 0),
        most_(count < a_size ? count : a_size) {}

  [[nodiscard]] CHANNELS_DEVICE bool is_found() const { return least_ == most_; }
  [[nodiscard]] CHANNELS_DEVICE std::ptrdiff_t share() const { return least_; }

  /// Whether no more than the elements before this lane's place come from `a`. True at the result.
  template <class Group>
  [[nodiscard]] CHANNELS_DEVICE bool is_past(const Group& group, const int* a, const int* b) const {
    if (is_found()) return true;
    const std::ptrdiff_t at = place<Group>(group.rank());
    return b[count_ - 1 - at] < a[at];
  }
  /// Narrows the search by what the lanes found.
  template <class Group>
  CHANNELS_DEVICE void narrow(const Group& group, bool is_past) {
    static_assert(std::has_single_bit(Group::size()));
    // The first lane that is past the result. All later lanes are past it, too.
    std::uint32_t before = 0;
    for (std::uint32_t step = Group::size() / 2; step != 0; step /= 2) {
      if (!group.of_lane(is_past, before + step - 1)) before += step;
    }
    if (!group.of_lane(is_past, before)) ++before;
    const std::ptrdiff_t least = before == 0 ? least_ : place<Group>(before - 1) + 1;
    const std::ptrdiff_t most = before == Group::size() ? most_ : place<Group>(before);
    least_ = least;
    most_ = most;
  }

 private:
  template <class Group>
  [[nodiscard]] CHANNELS_DEVICE std::ptrdiff_t place(std::uint32_t rank) const {
    return least_ + (most_ - least_) * (rank + 1) / (Group::size() + 1);
  }

  std::ptrdiff_t count_;
  std::ptrdiff_t least_;
  std::ptrdiff_t most_;
};

/// How many of the elements before `first` and before `last` of a merge come from `a`.
struct merge_cuts {
  std::ptrdiff_t first;
  std::ptrdiff_t last;
};
template <class Group>
CHANNELS_DEVICE merge_cuts find_cuts(const Group& group, const int* a, std::ptrdiff_t a_size,
                                     const int* b, std::ptrdiff_t b_size, std::ptrdiff_t first,
                                     std::ptrdiff_t last) {
  merge_cut low(a_size, b_size, first);
  merge_cut high(a_size, b_size, last);
  while (!low.is_found() || !high.is_found()) {
    // Both loads are under way at once.
    const bool low_is_past = low.is_past(group, a, b);
    const bool high_is_past = high.is_past(group, a, b);
    low.narrow(group, low_is_past);
    high.narrow(group, high_is_past);
  }
  return {low.share(), high.share()};
}

/// Elements in the registers of a group. In each run of as many elements as there are lanes, a lane
/// has the one of its rank.
template <class Group>
class sort_tile {
 public:
  static constexpr std::uint32_t lanes = Group::size();
  static constexpr std::uint32_t share = 16;
  static constexpr std::uint32_t size = lanes * share;
  static_assert(std::has_single_bit(lanes), "the network is for powers of two");

  /// Sets each of the lane's elements to `read(k)`, where `k` is its distance from the first.
  template <class Read>
  CHANNELS_DEVICE void load(Read read) {
    CHANNELS_UNROLL
    for (std::uint32_t k = 0; k < share; ++k) of_[k] = read(static_cast<int>(k * lanes));
  }
  template <class Write>
  CHANNELS_DEVICE void store(Write write) const {
    CHANNELS_UNROLL
    for (std::uint32_t k = 0; k < share; ++k) write(static_cast<int>(k * lanes), of_[k]);
  }

  CHANNELS_DEVICE void sort(const Group& group) { sort_runs<size>(group); }
  /// Sorts elements that first go up and then down.
  CHANNELS_DEVICE void merge(const Group& group) { merge_runs<size>(group); }

 private:
  /// Sorts each run of `Length` elements, every other one downwards.
  template <std::uint32_t Length>
  CHANNELS_DEVICE void sort_runs(const Group& group) {
    if constexpr (Length > 2) sort_runs<Length / 2>(group);
    merge_runs<Length>(group);
  }
  template <std::uint32_t Length>
  CHANNELS_DEVICE void merge_runs(const Group& group) {
    compare<Length, Length / 2>(group);
  }
  /// Compares each element with the one at `Distance`, then at half of it, and so on.
  template <std::uint32_t Length, std::uint32_t Distance>
  CHANNELS_DEVICE void compare(const Group& group) {
    if constexpr (Distance >= lanes) {
      constexpr std::uint32_t apart = Distance / lanes;
      CHANNELS_UNROLL
      for (std::uint32_t k = 0; k < share; ++k) {
        if ((k & apart) != 0) continue;
        const int a = of_[k];
        const int b = of_[k + apart];
        const bool upwards = (k * lanes & Length) == 0;
        of_[k] = upwards ? least(a, b) : most(a, b);
        of_[k + apart] = upwards ? most(a, b) : least(a, b);
      }
    } else {
      const std::uint32_t rank = group.rank();
      const bool is_lower = (rank & Distance) == 0;
      CHANNELS_UNROLL
      for (std::uint32_t k = 0; k < share; ++k) {
        const int other = group.of_lane(of_[k], rank ^ Distance);
        const bool upwards = ((Length < lanes ? rank : k * lanes) & Length) == 0;
        of_[k] = is_lower == upwards ? least(of_[k], other) : most(of_[k], other);
      }
    }
    if constexpr (Distance > 1) compare<Length, Distance / 2>(group);
  }

  static CHANNELS_DEVICE int least(int a, int b) { return a < b ? a : b; }
  static CHANNELS_DEVICE int most(int a, int b) { return a < b ? b : a; }

  int of_[share];
};

/// Two sorted ranges whose merge is elements `first` and following of a result.
struct merge_ranges {
  const int* a;
  std::ptrdiff_t a_size;
  const int* b;
  std::ptrdiff_t b_size;
  std::ptrdiff_t first;
};

/// Writes `size` merged elements, one tile at a time. A tile is loaded with the elements of `a`
/// going up and then those of `b` going down. `ranges_at(i)`: the ranges that are merged to the
/// tile that begins with element `i`; a tile has elements of no other ranges.
template <class Group, class RangesAt>
CHANNELS_DEVICE void merge_tiles(Group& group, std::ptrdiff_t size, RangesAt ranges_at, int* to) {
  using tile = sort_tile<Group>;
  constexpr auto tile_size = static_cast<std::ptrdiff_t>(tile::size);
  const auto rank = static_cast<int>(group.rank());
  std::ptrdiff_t ends = 0;    // of one of the next tiles, in its `a`
  std::ptrdiff_t from_a = 0;  // elements of `a` in the tiles before
  // Merges the tile from `done` on.
  const auto next = [&](tile& t, std::ptrdiff_t done) {
    const auto number = static_cast<std::uint32_t>(done / tile_size % group.size());
    if (number == 0) {
      const std::ptrdiff_t own = done + tile_size * rank;
      if (own < size) {
        const merge_ranges r = ranges_at(own);
        const std::ptrdiff_t end = own + tile_size - r.first;
        const std::ptrdiff_t all = r.a_size + r.b_size;
        ends = share_of_first(r.a, r.a_size, r.b, r.b_size, end < all ? end : all);
      }
    }
    const merge_ranges r = ranges_at(done);
    if (done == r.first) from_a = 0;
    const std::ptrdiff_t to_a = group.of_lane(ends, number);
    const std::ptrdiff_t left = r.first + r.a_size + r.b_size - done;
    const std::ptrdiff_t count = left < tile_size ? left : tile_size;
    const int* const own_a = r.a + from_a + rank;
    const int* const own_b = r.b + (done - r.first - from_a) + (tile_size - 1 - rank);
    const auto end_a = static_cast<int>(to_a - from_a) - rank;
    const auto begin_b = static_cast<int>(tile_size - count + (to_a - from_a)) - rank;
    t.load([&](int k) {
      // One load, from either range: if there were two conditional loads, the second would wait for
      // the first. If the tile is not full, INT32_MAX fills it.
      const int* const from = k < end_a ? own_a + k : own_b - k;
      return k < end_a || k >= begin_b ? *from : INT32_MAX;
    });
    from_a = to_a;
  };
  tile now;
  if (size > 0) next(now, 0);
  for (std::ptrdiff_t done = 0; done < size; done += tile_size) {
    // This load is under way while the group merges.
    tile after = now;
    if (done + tile_size < size) next(after, done + tile_size);
    now.merge(group);
    int* const own = to + done + rank;
    const auto end = static_cast<int>(size - done < tile_size ? size - done : tile_size) - rank;
    now.store([&](int k, int value) {
      if (k < end) own[k] = value;
    });
    now = after;
  }
}

/// Merges two sorted ranges to `to`.
template <class Group>
CHANNELS_DEVICE void group_merge(Group& group, const int* a, std::ptrdiff_t a_size, const int* b,
                                 std::ptrdiff_t b_size, int* to) {
  merge_tiles(
      group, a_size + b_size, [=](std::ptrdiff_t) { return merge_ranges{a, a_size, b, b_size, 0}; },
      to);
}

/// Sorts `size` elements; `scratch` has room for as many.
template <class Group>
CHANNELS_DEVICE void group_sort(Group& group, int* data, int* scratch, std::ptrdiff_t size) {
  using tile = sort_tile<Group>;
  constexpr auto tile_size = static_cast<std::ptrdiff_t>(tile::size);
  const auto rank = static_cast<int>(group.rank());
  bool in_scratch = false;  // so that the last merge is to `data`
  for (std::ptrdiff_t run = tile_size; run < size; run *= 2) in_scratch = !in_scratch;
  int* from = in_scratch ? scratch : data;
  int* to = in_scratch ? data : scratch;
  for (std::ptrdiff_t i = 0; i < size; i += tile_size) {
    const auto end = static_cast<int>(size - i < tile_size ? size - i : tile_size) - rank;
    const int* const own = data + i + rank;
    int* const sorted = from + i + rank;
    tile t;
    // INT32_MAX stands for elements that are missing.
    t.load([&](int k) { return k < end ? own[k] : INT32_MAX; });
    t.sort(group);
    t.store([&](int k, int value) {
      if (k < end) sorted[k] = value;
    });
  }
  for (std::ptrdiff_t run = tile_size; run < size; run *= 2) {
    group.sync();
    const int* const runs = from;
    const auto pair_of = [=](std::ptrdiff_t i) {
      const std::ptrdiff_t first = i / (2 * run) * (2 * run);
      const std::ptrdiff_t left = size - first;
      const std::ptrdiff_t a_size = left < run ? left : run;
      const std::ptrdiff_t b_size = left < 2 * run ? left - a_size : run;
      return merge_ranges{runs + first, a_size, runs + first + a_size, b_size, first};
    };
    merge_tiles(group, size, pair_of, to);
    int* const merged = to;
    to = from;
    from = merged;
  }
}

}  // namespace tasks
