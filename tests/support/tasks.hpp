#pragma once

#include <algorithm>  // copy
#include <atomic>     // atomic

#include "channels/call.hpp"

/// Tasks as cilk2chan lowers them, each with the serial function that says what it must return.
namespace channels::testing {

/// Two children, one sync.
struct fib {
  static constexpr const char* name = "fib";
  using result_type = long;
  struct arguments {
    int n;
  };
  struct frame {
    long x, y;
  };
  using spawns = task_list<fib>;
  static constexpr std::uint32_t spawn_bound = 2;

  template <class Lane>
  static outcome enter(Lane& lane, const arguments& a) {
    if (a.n < 2) return lane.finish(a.n);
    frame* const f = lane.template open<fib>(2);
    if (f == nullptr) return lane.retry();
    (void)lane.template spawn<fib>(&f->x, {a.n - 1});
    (void)lane.template spawn<fib>(&f->y, {a.n - 2});
    return lane.sync(1);
  }
  template <class Lane>
  static outcome resume(Lane& lane, frame& f, std::uint32_t /*point*/) {
    return lane.finish(f.x + f.y);
  }
  static long serial(int n) { return n < 2 ? n : serial(n - 1) + serial(n - 2); }
};

/// One child after the other to depth n: as many levels as tasks.
struct chain {
  static constexpr const char* name = "chain";
  using result_type = long;
  struct arguments {
    int n;
  };
  struct frame {
    long below;
  };
  using spawns = task_list<chain>;
  static constexpr std::uint32_t spawn_bound = 1;

  template <class Lane>
  static outcome enter(Lane& lane, const arguments& a) {
    if (a.n == 0) return lane.finish(0L);
    frame* const f = lane.template open<chain>(1);
    if (f == nullptr) return lane.retry();
    (void)lane.template spawn<chain>(&f->below, {a.n - 1});
    return lane.sync(1);
  }
  template <class Lane>
  static outcome resume(Lane& lane, frame& f, std::uint32_t /*point*/) {
    return lane.finish(f.below + 1);
  }
};

/// Hofstadter's male and female sequences: mutual recursion, and two syncs in a row, the second of
/// them for a child that is known only after the first.
struct male;
struct female;

template <class Self, class Other>
struct hofstadter {
  using result_type = int;
  struct arguments {
    int n;
  };
  struct frame {
    int n, inner, outer;
  };
  using spawns = task_list<Self, Other>;
  static constexpr std::uint32_t spawn_bound = 1;

  template <class Lane>
  static outcome enter(Lane& lane, const arguments& a) {
    if (a.n == 0) return lane.finish(Self::at_zero);
    frame* const f = lane.template open<Self>(1);
    if (f == nullptr) return lane.retry();
    f->n = a.n;
    (void)lane.template spawn<Self>(&f->inner, {a.n - 1});
    return lane.sync(1);
  }
  template <class Lane>
  static outcome resume(Lane& lane, frame& f, std::uint32_t point) {
    if (point == 1) {
      if (!lane.template spawn<Other>(&f.outer, {f.inner})) return lane.yield(1);
      return lane.sync(2);
    }
    return lane.finish(f.n - f.outer);
  }
  static int serial(int n) {
    return n == 0 ? Self::at_zero : n - Other::serial(Self::serial(n - 1));
  }
};
struct male : hofstadter<male, female> {
  static constexpr const char* name = "male";
  static constexpr int at_zero = 0;
};
struct female : hofstadter<female, male> {
  static constexpr const char* name = "female";
  static constexpr int at_zero = 1;
};

/// Spawns in a loop, and does so once more after a sync: yields in the middle when there is no
/// room. Counts the tasks of the tree below, itself included.
struct tree {
  static constexpr const char* name = "tree";
  static constexpr int most_children = 12;
  using result_type = long;
  struct arguments {
    int depth, width;
  };
  struct frame {
    int depth, width, next;
    long sum;
    long sizes[most_children];
  };
  using spawns = task_list<tree>;
  static constexpr std::uint32_t spawn_bound = unbounded;

  template <class Lane>
  static outcome enter(Lane& lane, const arguments& a) {
    if (a.depth == 0) return lane.finish(1L);
    frame* const f = lane.open();
    if (f == nullptr) return lane.retry();
    f->depth = a.depth;
    f->width = a.width;
    f->next = 0;
    f->sum = 1;
    return spawn_rest(lane, *f, 1);
  }
  template <class Lane>
  static outcome resume(Lane& lane, frame& f, std::uint32_t point) {
    if (point % 2 == 1) return spawn_rest(lane, f, point);
    for (int i = 0; i < f.width; ++i) f.sum += f.sizes[i];
    if (point == 4) return lane.finish(f.sum);
    f.next = 0;
    return spawn_rest(lane, f, 3);
  }
  template <class Lane>
  static outcome spawn_rest(Lane& lane, frame& f, std::uint32_t point) {
    for (; f.next < f.width; ++f.next) {
      if (!lane.template spawn<tree>(&f.sizes[f.next], {f.depth - 1, f.width}))
        return lane.yield(point);
    }
    return lane.sync(point + 1);
  }
  static long serial(int depth, int width) {
    return depth == 0 ? 1 : 1 + 2L * width * serial(depth - 1, width);
  }
};

/// Spawns `width` children in a loop, which count themselves.
struct wide {
  static constexpr const char* name = "wide";
  using result_type = void;
  struct arguments {
    int width;
    std::atomic<long>* count;
  };
  struct frame {
    int next;
    std::atomic<long>* count;
  };
  using spawns = task_list<wide>;
  static constexpr std::uint32_t spawn_bound = unbounded;

  template <class Lane>
  static outcome enter(Lane& lane, const arguments& a) {
    if (a.width == 0) {
      a.count->fetch_add(1, std::memory_order_relaxed);
      return lane.finish();
    }
    frame* const f = lane.open();
    if (f == nullptr) return lane.retry();
    *f = {a.width, a.count};
    return spawn_rest(lane, *f);
  }
  template <class Lane>
  static outcome resume(Lane& lane, frame& f, std::uint32_t point) {
    return point == 1 ? spawn_rest(lane, f) : lane.finish();
  }
  template <class Lane>
  static outcome spawn_rest(Lane& lane, frame& f) {
    for (; f.next != 0; --f.next) {
      if (!lane.template spawn<wide>({0, f.count})) return lane.yield(1);
    }
    return lane.sync(2);
  }
};

/// Returns nothing; leaves count themselves.
struct leaves {
  static constexpr const char* name = "leaves";
  using result_type = void;
  struct arguments {
    int depth;
    std::atomic<long>* count;
  };
  struct frame {};
  using spawns = task_list<leaves>;
  static constexpr std::uint32_t spawn_bound = 3;

  template <class Lane>
  static outcome enter(Lane& lane, const arguments& a) {
    if (a.depth == 0) {
      a.count->fetch_add(1, std::memory_order_relaxed);
      return lane.finish();
    }
    if (lane.template open<leaves>(3) == nullptr) return lane.retry();
    for (int i = 0; i < 3; ++i) (void)lane.template spawn<leaves>({a.depth - 1, a.count});
    return lane.sync(1);
  }
  template <class Lane>
  static outcome resume(Lane& lane, frame& /*f*/, std::uint32_t /*point*/) {
    return lane.finish();
  }
};

/// Queens, as people write it with alloca: each child gets a copy of the board that its parent
/// allocates, and the results are in an array that it allocates too.
struct alloca_queens {
  static constexpr const char* name = "alloca_queens";
  using result_type = int;
  struct arguments {
    int n, row;
    const char* board;
  };
  struct frame {
    int n, row, column;
    const char* board;
    char* next;
    int* counts;
  };
  using spawns = task_list<alloca_queens>;
  static constexpr std::uint32_t spawn_bound = unbounded;
  static constexpr bool allocates = true;

  static bool fits(const char* board, int row, int column) {
    for (int i = 0; i < row; ++i) {
      if (board[i] == column || board[i] - column == row - i || column - board[i] == row - i)
        return false;
    }
    return true;
  }

  template <class Lane>
  static outcome enter(Lane& lane, const arguments& a) {
    if (a.row == a.n) return lane.finish(1);
    frame* const f = lane.open();
    if (f == nullptr) return lane.retry();
    *f = {a.n, a.row, 0, a.board, nullptr, nullptr};
    return resume(lane, *f, 1);
  }
  template <class Lane>
  static outcome resume(Lane& lane, frame& f, std::uint32_t point) {
    switch (point) {
      case 1:
        f.counts = static_cast<int*>(lane.allocate(static_cast<std::size_t>(f.n) * sizeof(int)));
        if (f.counts == nullptr) return lane.yield(1);
        for (f.column = 0; f.column < f.n; ++f.column) {
          f.counts[f.column] = 0;
          if (!fits(f.board, f.row, f.column)) continue;
          [[fallthrough]];
          case 2:
            f.next = static_cast<char*>(lane.allocate(static_cast<std::size_t>(f.row) + 1));
            if (f.next == nullptr) return lane.yield(2);
            std::copy(f.board, f.board + f.row, f.next);
            f.next[f.row] = static_cast<char>(f.column);
            [[fallthrough]];
          case 3:
            if (!lane.template spawn<alloca_queens>(&f.counts[f.column], {f.n, f.row + 1, f.next}))
              return lane.yield(3);
        }
        return lane.sync(4);
      default: break;
    }
    int sum = 0;
    for (int i = 0; i < f.n; ++i) sum += f.counts[i];
    return lane.finish(sum);
  }
};

}  // namespace channels::testing
