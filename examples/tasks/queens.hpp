#pragma once

#include <bit>      // countr_zero, popcount
#include <cstddef>  // offsetof

#include "channels/task.hpp"
#include "channels/task_traits.hpp"

namespace tasks {

/// The squares of the next row that are attacked: a bit for each column.
struct chess_board {
  std::uint32_t free;   ///< columns without a queen
  std::uint32_t left;   ///< columns on a diagonal that comes down from the right
  std::uint32_t right;  ///< columns on a diagonal that comes down from the left

  [[nodiscard]] CHANNELS_DEVICE std::uint32_t safe() const { return free & ~(left | right); }
  /// The board below a queen on `square`, which has one bit.
  [[nodiscard]] CHANNELS_DEVICE chess_board with(std::uint32_t square) const {
    return {free ^ square, (left | square) << 1U, (right | square) >> 1U};
  }
  [[nodiscard]] CHANNELS_DEVICE bool full() const { return free == 0; }
  [[nodiscard]] CHANNELS_DEVICE int rows_left() const { return std::popcount(free); }
  template <unsigned Rows>
  [[nodiscard]] CHANNELS_DEVICE bool has_rows_left() const {
    if constexpr (Rows == 0) {
      return full();
    } else if constexpr (Rows == 1) {
      return (free & (free - 1)) == 0;  // at least one bit is set
    } else {
      return rows_left() == Rows;
    }
  }
};

/// The most rows and columns that the tasks have room for.
inline constexpr unsigned most_rows = 16;

/// A board without queens: `n` rows of `n` columns, 1 to `most_rows`.
constexpr chess_board empty_board(unsigned n) { return {(std::uint32_t{1} << n) - 1, 0, 0}; }

/// The number of ways to fill the rows left, as a plain recursion.
CHANNELS_DEVICE inline long serial_queens(const chess_board& board) {
  if (board.full()) return 1;
  long count = 0;
  for (std::uint32_t safe = board.safe(); safe != 0; safe &= safe - 1) {
    count += serial_queens(board.with(safe & -safe));
  }
  return count;
}

/// The number of ways to place a queen in each row so that none attacks another (paper, section
/// 7.1). Each task places one queen. The last `cutoff` rows, 4 in the paper, are one task; with 0
/// every placement is a task.
///
///     long queens(struct chess_board board, int cutoff) {
///       if (rows_left(board) <= cutoff) return serial_queens(board);
///       long counts[most_rows];
///       int children = 0;
///       for (uint32_t safe = safe_squares(board); safe != 0; safe &= safe - 1)
///         counts[children++] = cilk_spawn queens(with_queen(board, safe & -safe), cutoff);
///       cilk_sync;
///       long count = 0;
///       for (int i = 0; i < children; ++i) count += counts[i];
///       return count;
///     }
struct queens {
  static constexpr const char* name = "queens";
  using result_type = long;
  struct arguments {
    chess_board board;
    int cutoff;
  };
  struct frame {
    arguments args;          // this and `safe` only if the loop stops in the middle:
    std::uint32_t safe;      // the squares without a child yet
    std::uint32_t children;  // so far
    long counts[most_rows];
  };
  using spawns = channels::task_list<queens>;
  static constexpr std::uint32_t spawn_bound = channels::unbounded;

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome enter(Lane& lane, const arguments& a) {
    if (a.board.rows_left() <= a.cutoff) return lane.finish(serial_queens(a.board));
    if (a.board.full()) return lane.finish(1);
    const std::uint32_t safe = a.board.safe();
    if (safe == 0) return lane.finish(0);
    frame* const f = lane.open();
    if (f == nullptr) return lane.retry();
    return place(lane, *f, a, safe, 0);
  }

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome resume(Lane& lane, frame& f, std::uint32_t point) {
    if (point == placing) return place(lane, f, f.args, f.safe, f.children);
    long count = 0;
    for (std::uint32_t i = 0; i < f.children; ++i) count += f.counts[i];
    return lane.finish(count);
  }

  /// The arguments for `n` rows of `n` columns, every placement a task.
  static constexpr arguments whole(unsigned n) { return {empty_board(n), 0}; }

 private:
  enum : std::uint32_t { placing, counted };

  /// The loop, from any iteration on.
  template <class Lane>
  CHANNELS_DEVICE static channels::outcome place(Lane& lane, frame& f, const arguments& a,
                                                 std::uint32_t safe, std::uint32_t children) {
    for (; safe != 0; safe &= safe - 1) {
      const arguments below{a.board.with(safe & -safe), a.cutoff};
      if (!lane.template spawn<queens>(&f.counts[children], below)) {
        f.args = a;
        f.safe = safe;
        f.children = children;
        return lane.yield(placing);
      }
      ++children;
    }
    f.children = children;
    return lane.sync(counted);
  }
};

/// The same without a cutoff. After the sync the task only adds up, and on a GPU no task waits for
/// that.
///
///     long queens(struct chess_board board) {
///       if (board.free == 0) return 1;
///       uint32_t safe = safe_squares(board);
///       if (safe == 0) return 0;
///       long counts[most_rows];
///       int children = 0;
///       for (; safe != 0; safe &= safe - 1) {
///         counts[children] = cilk_spawn queens(with_queen(board, safe & -safe));
///         ++children;
///       }
///       cilk_sync;
///       long count = 0;
///       for (int i = 0; i < children; ++i) count += counts[i];
///       return count;
///     }
struct loop_queens {
  static constexpr const char* name = "loop_queens";
  using result_type = long;
  struct arguments {
    chess_board board;
  };
  struct frame {
    chess_board board;
    std::uint32_t safe;  // the squares without a child yet
    // Not for a lane that adds up results itself: where the children's results are.
    std::uint32_t children;  // so far
    long counts[most_rows];
  };
  using spawns = channels::task_list<loop_queens>;
  static constexpr std::uint32_t spawn_bound = channels::unbounded;
  static constexpr bool shares_frame = false;
  static constexpr bool results_in_frame = true;
  static constexpr bool quick_leaves = true;
  static constexpr bool sums_up = true;
  static constexpr auto reach = channels::reach::host;
  static constexpr std::size_t kept_frame = offsetof(frame, children);

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome enter(Lane& lane, const arguments& a) {
    if (a.board.full()) return lane.finish(1);
    const std::uint32_t safe = a.board.safe();
    if (safe == 0) return lane.finish(0);
    frame* const f = lane.open();
    if (f == nullptr) return lane.retry();
    f->board = a.board;
    f->safe = safe;
    f->children = 0;
    // One copy of the loop, for lanes that begin it and lanes that continue it.
    if constexpr (channels::adds_results<Lane>) return lane.sync(placing);
    return resume(lane, *f, placing);
  }

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome resume(Lane& lane, frame& f, std::uint32_t point) {
    if (point == placing) {
      for (; f.safe != 0; f.safe &= f.safe - 1) {
        const arguments below{f.board.with(f.safe & -f.safe)};
        if (!lane.template spawn<loop_queens>(&f.counts[f.children], below))
          return lane.yield(placing);
        ++f.children;
      }
      return lane.sync(counted);
    }
    long count = 0;
    if constexpr (!channels::adds_results<Lane>) {
      for (std::uint32_t i = 0; i < f.children; ++i) count += f.counts[i];
    }
    return lane.finish(count);
  }

  static constexpr arguments whole(unsigned n) { return {empty_board(n)}; }

 private:
  enum : std::uint32_t { placing, counted };
};

/// The same, with two children at a time: a queen on the first safe square, and the others. Every
/// placement is a task, and so is every square that is passed over. Frames are small and not
/// shared, so a GPU keeps them in registers.
///
///     long queens(struct chess_board board, uint32_t safe) {
///       if (safe == 0) return board.free == 0;
///       struct chess_board below = with_queen(board, safe & -safe);
///       long here = cilk_spawn queens(below, safe_squares(below));
///       long others = cilk_spawn queens(board, safe & safe - 1);
///       cilk_sync;
///       return here + others;
///     }
struct paired_queens {
  static constexpr const char* name = "paired_queens";
  using result_type = long;
  struct arguments {
    chess_board board;
    std::uint32_t safe;
  };
  struct frame {
    long here;
    long others;
  };
  using spawns = channels::task_list<paired_queens>;
  static constexpr std::uint32_t spawn_bound = 2;
  static constexpr bool shares_frame = false;
  static constexpr bool results_in_frame = true;
  static constexpr bool quick_leaves = true;
  static constexpr bool sums_up = true;
  static constexpr auto reach = channels::reach::host;

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome enter(Lane& lane, const arguments& a) {
    if (a.safe == 0) return lane.finish(a.board.full() ? 1 : 0);
    frame* const f = lane.template open<paired_queens>(2);
    if (f == nullptr) return lane.retry();
    const chess_board below = a.board.with(a.safe & -a.safe);
    (void)lane.template spawn<paired_queens>(&f->here, {below, below.safe()});
    (void)lane.template spawn<paired_queens>(&f->others, {a.board, a.safe & (a.safe - 1)});
    return lane.sync(1);
  }

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome resume(Lane& lane, frame& f, std::uint32_t /*point*/) {
    return lane.finish(f.here + f.others);
  }

  /// The arguments for `n` rows of `n` columns.
  static constexpr arguments whole(unsigned n) { return {empty_board(n), empty_board(n).free}; }
};

/// The number of ways to fill the last `Rows` rows, by nested loops. The last two rows have no
/// conditions.
template <unsigned Rows>
CHANNELS_DEVICE constexpr std::uint32_t ways(const chess_board& board) {
  const std::uint32_t safe = board.safe();
  if constexpr (Rows == 0) {
    return 1;
  } else if constexpr (Rows == 1) {
    return safe != 0 ? 1 : 0;
  } else if constexpr (Rows == 2) {
    // Two columns are left, one for each row. It counts each pair of a safe square here and one
    // below in the other column; none if the columns are beside each other.
    const std::uint32_t below = board.free & ~(board.left << 1U | board.right >> 1U);
    const auto pairs = static_cast<std::uint32_t>(std::popcount(safe) * std::popcount(below) -
                                                  std::popcount(safe & below));
    return (board.free & board.free << 1U) == 0 ? pairs : 0;
  } else {
    std::uint32_t count = 0;
    for (std::uint32_t left = safe; left != 0; left &= left - 1) {
      count += ways<Rows - 1>(board.with(left & -left));
    }
    return count;
  }
}

/// The same, with the children in the other order: the rows below the first queen come first. So
/// fewer tasks wait, and it takes longer until many lanes have one. The last `Rows` rows, fewer
/// than the board has, are part of the task that comes to them (paper, section 7.1); with 0 every
/// placement is a task. Only values depend on conditions, so lanes do not diverge.
///
///     long queens(struct chess_board board, uint32_t safe) {
///       if (safe == 0) return 0;
///       struct chess_board below = with_queen(board, safe & -safe);
///       bool is_last = rows_left(below) == ROWS;
///       long end = is_last ? ways(below) : 0;
///       long others = cilk_spawn queens(board, safe & safe - 1);
///       long here = cilk_spawn queens(below, is_last ? 0 : safe_squares(below));
///       cilk_sync;
///       return end + here + others;
///     }
template <unsigned Rows>
struct cut_queens {
  static constexpr const char* name = "cut_queens";
  using result_type = long;
  using arguments = paired_queens::arguments;
  struct frame {
    long end;
    long here;
    long others;
  };
  using spawns = channels::task_list<cut_queens>;
  static constexpr std::uint32_t spawn_bound = 2;
  static constexpr bool shares_frame = false;
  static constexpr bool results_in_frame = true;
  static constexpr bool quick_leaves = true;
  static constexpr bool sums_up = true;
  static constexpr auto reach = channels::reach::host;

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome enter(Lane& lane, const arguments& a) {
    if (a.safe == 0) return lane.finish(0);
    frame* const f = lane.template open<cut_queens>(2);
    if (f == nullptr) return lane.retry();
    const chess_board below = a.board.with(a.safe & -a.safe);
    const bool is_last = below.has_rows_left<Rows>();
    f->end = is_last ? ways<Rows>(below) : 0;
    (void)lane.template spawn<cut_queens>(&f->others, {a.board, a.safe & (a.safe - 1)});
    // A full board has no safe square.
    const std::uint32_t safe_below = Rows != 0 && is_last ? 0 : below.safe();
    (void)lane.template spawn<cut_queens>(&f->here, {below, safe_below});
    return lane.sync(1);
  }

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome resume(Lane& lane, frame& f, std::uint32_t /*point*/) {
    return lane.finish(f.end + f.here + f.others);
  }

  static constexpr arguments whole(unsigned n) { return paired_queens::whole(n); }
  /// The boards of which all others are mirror images: the first queen is on the left half of the
  /// first row or, if the row has a middle, there, with the second queen on the left half.
  static constexpr arguments left_half(unsigned n) {
    return {empty_board(n), (std::uint32_t{1} << n / 2) - 1};
  }
  static constexpr arguments left_of_middle(unsigned n) {
    const chess_board below = empty_board(n).with(std::uint32_t{1} << n / 2);
    return {below, below.safe() & ((std::uint32_t{1} << n / 2) - 1)};
  }
};

}  // namespace tasks
