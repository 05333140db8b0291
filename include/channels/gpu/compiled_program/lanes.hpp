#pragma once

#include <cstdint>      // fixed-width integers
#include <type_traits>  // integral_constant, is_integral_v, make_unsigned_t

#include "channels/cilk/loop_count.hpp"
#include "channels/gpu/compiled_program/group.hpp"
#include "channels/leaf.hpp"

/// What the code that cilk2chan makes of loops uses where the lanes of a wavefront share them.
namespace channels::cilk {

// The code for several devices is in one program.
inline namespace CHANNELS_CILK_ON {

/// The address of a place. Any lane calls it.
CHANNELS_DEVICE inline std::uint64_t place_of(const volatile void* place) {
  return reinterpret_cast<std::uint64_t>(place);
}

/// The memory that one access of a loop uses in all of its iterations. The address is the sum of
/// what stays and of a multiple of the iteration's number. Each lane has one of its own.
class lane_access {
 public:
  /// The address in the first, second and last of `trips` iterations, at least 2, and the `bytes`
  /// that the access uses there.
  CHANNELS_DEVICE lane_access(std::uint64_t first, std::uint64_t second, std::uint64_t last,
                              std::uint64_t bytes, std::uint64_t trips)
      : bytes_(bytes),
        trips_(trips),
        stride_(static_cast<std::int64_t>(second - first)),
        corner_(first) {
    add(first, second, last);
  }

  /// The same for another end of the ranges of the loops inside.
  CHANNELS_DEVICE void add(std::uint64_t first, std::uint64_t second, std::uint64_t last) {
    const auto stride = static_cast<std::int64_t>(second - first);
    if (stride != stride_) stride_ = 0;
    // Arithmetic of few bits may have wrapped in between, and so may a distance without end.
    constexpr std::int64_t far = std::int64_t{1} << 31;
    const bool in_line = stride < far && -far < stride && trips_ >> 31 == 0 &&
                         last - first == static_cast<std::uint64_t>(stride) * (trips_ - 1);
    known_ = known_ && in_line;
    near_low_ = least(near_low_, first);
    near_high_ = most(near_high_, first + bytes_);
    low_ = least(low_, least(first, last));
    high_ = most(high_, most(first, last) + bytes_);
  }

  /// The same for all values of the variable of one of these loops, whose range is fixed: the
  /// address in the first iteration, and there in that loop's second and last.
  CHANNELS_DEVICE void add_loop(std::uint64_t second, std::uint64_t last) {
    add_rows(second, last);
    const auto extent = static_cast<std::int64_t>(last - corner_);
    if (extent < 0) {
      near_low_ -= size_of(extent);
      low_ -= size_of(extent);
    } else {
      near_high_ += size_of(extent);
      high_ += size_of(extent);
    }
  }
  /// Only notes how far apart the rows are that such a loop goes through.
  CHANNELS_DEVICE void add_rows(std::uint64_t second, std::uint64_t last) {
    if (last == corner_) return;
    ++row_loops_;
    row_stride_ = static_cast<std::int64_t>(second - corner_);
  }

  /// Whether no two iterations use the same memory. They may take turns in each of several rows
  /// that are further apart than a row is long.
  [[nodiscard]] CHANNELS_DEVICE bool is_apart() const {
    if (!known_ || stride_ == 0) return false;
    if (near_high_ - near_low_ <= size_of(stride_)) return true;
    return row_loops_ == 1 && bytes_ <= size_of(stride_) &&
           size_of(stride_) * (trips_ - 1) + bytes_ <= size_of(row_stride_);
  }
  /// Whether a loop around, which is at `second` in its second iteration, moves the address by an
  /// element at least. Its range is fixed, and the address is a multiple of its iteration's number.
  [[nodiscard]] CHANNELS_DEVICE bool has_rows_apart(std::uint64_t second) const {
    return known_ && bytes_ <= size_of(static_cast<std::int64_t>(second - corner_));
  }
  /// Whether the two use no memory together, in whatever iterations.
  [[nodiscard]] CHANNELS_DEVICE static bool are_disjoint(const lane_access& a,
                                                         const lane_access& b) {
    return a.known_ && b.known_ && (a.high_ <= b.low_ || b.high_ <= a.low_);
  }
  /// Whether no iteration uses by one access what another iteration uses by the other.
  [[nodiscard]] CHANNELS_DEVICE static bool apart(const lane_access& a, const lane_access& b) {
    if (!a.known_ || !b.known_) return false;
    if (a.high_ <= b.low_ || b.high_ <= a.low_) return true;
    if (has_rows_beside(a, b)) return true;
    return a.stride_ == b.stride_ && a.stride_ != 0 &&
           most(a.near_high_, b.near_high_) - least(a.near_low_, b.near_low_) <= size_of(a.stride_);
  }

 private:
  static CHANNELS_DEVICE std::uint64_t least(std::uint64_t a, std::uint64_t b) {
    return a < b ? a : b;
  }
  static CHANNELS_DEVICE std::uint64_t most(std::uint64_t a, std::uint64_t b) {
    return a < b ? b : a;
  }
  // Whether both go through rows at the same distance, and a row of one is beside those of the
  // other, as in quarters of a matrix, or begins where one of the other begins: then iterations of
  // the same number use the same elements.
  static CHANNELS_DEVICE bool has_rows_beside(const lane_access& a, const lane_access& b) {
    if (a.stride_ != b.stride_ || a.stride_ <= 0 || a.row_loops_ != 1 || b.row_loops_ != 1 ||
        size_of(a.row_stride_) != size_of(b.row_stride_))
      return false;
    const std::uint64_t rows = size_of(a.row_stride_);
    const std::uint64_t before = size_of(a.stride_) * (a.trips_ - 1);
    if (before + most(a.bytes_, b.bytes_) > rows) return false;
    const std::uint64_t distance = b.corner_ >= a.corner_
                                       ? (b.corner_ - a.corner_) % rows
                                       : (rows - (a.corner_ - b.corner_) % rows) % rows;
    if (distance == 0) return most(a.bytes_, b.bytes_) <= size_of(a.stride_);
    return before + a.bytes_ <= distance && before + b.bytes_ <= rows - distance;
  }
  static CHANNELS_DEVICE std::uint64_t size_of(std::int64_t stride) {
    return static_cast<std::uint64_t>(stride < 0 ? -stride : stride);
  }

  std::uint64_t bytes_;
  std::uint64_t trips_;
  std::int64_t stride_;  ///< from one iteration to the next; 0: none, or several
  std::uint64_t corner_;
  std::int64_t row_stride_ = 0;
  unsigned row_loops_ = 0;  ///< loops inside that move the address
  bool known_ = true;
  std::uint64_t near_low_ = ~std::uint64_t{0};  ///< in the first iteration
  std::uint64_t near_high_ = 0;
  std::uint64_t low_ = ~std::uint64_t{0};  ///< in all of them
  std::uint64_t high_ = 0;
};

/// The first, second or last value of a loop's variable, for 0, 1 or 2. Any lane calls it.
template <class Index>
CHANNELS_DEVICE Index end_of(unsigned which, const Index& first, std::int64_t step,
                             std::uint64_t trips) {
  if (which == 0 || trips < 2) return first;
  return nth(first, which == 1 ? 1 : trips - 1, step);
}

/// Calls `run(count, first)` for all of `rows` rows, eight at a time, where `count` is a type with
/// the number of rows.
template <class Run>
CHANNELS_DEVICE void by_tiles(std::uint64_t rows, const Run& run) {
  constexpr unsigned tile = 8;
  std::uint64_t row = 0;
  for (; row + tile <= rows; row += tile) run(std::integral_constant<unsigned, tile>(), row);
  for (; row < rows; ++row) run(std::integral_constant<unsigned, 1>(), row);
}

/// The value of one lane, for all of them, which call it together.
template <class Value>
CHANNELS_DEVICE Value of_lane(Value value, std::uint64_t lane) {
  static_assert(sizeof(Value) <= sizeof(std::uint64_t));
  std::uint64_t word = 0;
  __builtin_memcpy(&word, &value, sizeof value);
  word = channels_of_lane(word, static_cast<unsigned>(lane));
  __builtin_memcpy(&value, &word, sizeof value);
  return value;
}

/// Joins the values of all lanes, which call it together, and `before`, by `+`, `|`, `&` or `^`, or
/// is the least (`<`) or the most (`>`) of them.
template <char Operation, class Value>
CHANNELS_DEVICE Value join_lanes(Value before, Value value) {
  const auto join = [](Value a, Value b) {
    if constexpr (Operation == '<') {
      return b < a ? b : a;
    } else if constexpr (Operation == '>') {
      return a < b ? b : a;
    } else if constexpr (std::is_integral_v<Value>) {
      using word = std::make_unsigned_t<Value>;
      const auto left = static_cast<word>(a);
      const auto right = static_cast<word>(b);
      if constexpr (Operation == '+') return static_cast<Value>(static_cast<word>(left + right));
      if constexpr (Operation == '|') return static_cast<Value>(static_cast<word>(left | right));
      if constexpr (Operation == '&') return static_cast<Value>(static_cast<word>(left & right));
      if constexpr (Operation == '^') return static_cast<Value>(static_cast<word>(left ^ right));
    } else {
      return a + b;
    }
  };
  for (unsigned distance = channels_lanes() / 2; distance != 0; distance /= 2)
    value = join(value, of_lane(value, channels_lane() ^ distance));
  return join(before, value);
}

/// Terms of a sum that a lane reads before it waits for any: each takes a while to come.
inline constexpr unsigned terms_at_once = 4;

/// `carry` and the values of the lanes before this one. Adds the values of all lanes, which call it
/// together, to `carry`.
template <class Value>
CHANNELS_DEVICE Value sum_before(Value value, Value& carry) {
  using word = std::make_unsigned_t<Value>;
  const unsigned lane = channels_lane();
  auto sum = static_cast<word>(value);
  for (unsigned distance = 1; distance < channels_lanes(); distance *= 2) {
    const word other = of_lane(sum, lane >= distance ? lane - distance : lane);
    if (lane >= distance) sum = static_cast<word>(sum + other);
  }
  const auto before = static_cast<word>(static_cast<word>(carry) + sum - static_cast<word>(value));
  carry = static_cast<Value>(
      static_cast<word>(static_cast<word>(carry) + of_lane(sum, channels_lanes() - 1)));
  return static_cast<Value>(before);
}

/// The number of this lane among those of all wavefronts that share a leaf, and their number.
CHANNELS_DEVICE inline std::uint64_t lane_in(const leaf_division& division) {
  return std::uint64_t{division.part} * channels_lanes() + channels_lane();
}
CHANNELS_DEVICE inline std::uint64_t lanes_of(const leaf_division& division) {
  return std::uint64_t{division.parts == 0 ? 1 : division.parts} * channels_lanes();
}

/// Asks for parts of a leaf whose lanes share a loop of so many `iterations`. `work`: how often the
/// loop's body runs, with all loops around it. All lanes call it together. True: the leaf has to
/// return, and is called again.
CHANNELS_DEVICE inline bool asks_for_parts(leaf_division& division, std::uint64_t iterations,
                                           std::uint64_t work) {
  // A part of fewer turns for each lane takes less time than another wavefront to begin with it.
  constexpr std::uint64_t least_turns = 64;
  const std::uint64_t lanes = channels_lanes();
  const std::uint64_t rows = iterations / lanes;
  const std::uint64_t shares = work / (lanes * least_turns);
  return division.asks_for(rows < shares ? rows : shares);
}

/// The grain of a `cilk_for` whose iterations lanes run side by side: as many as there are lanes,
/// or a multiple. Any lane calls it.
CHANNELS_DEVICE inline std::uint64_t grain_for_lanes(std::uint64_t grain) {
  const std::uint64_t lanes = channels_lanes();
  return grain < lanes ? lanes : grain / lanes * lanes;
}
/// Half of so many iterations of such a loop, where it is split.
CHANNELS_DEVICE inline std::uint64_t half_for_lanes(std::uint64_t iterations) {
  const std::uint64_t lanes = channels_lanes();
  return (iterations / 2 + lanes - 1) / lanes * lanes;
}

}  // namespace CHANNELS_CILK_ON

}  // namespace channels::cilk
