#pragma once

#include <algorithm>  // min
#include <cstddef>    // offsetof
#include <cstdint>    // fixed-width integers
#include <vector>     // vector

#include "channels/task.hpp"
#include "channels/task_traits.hpp"
#include "tasks/fib.hpp"

/// Tasks and bodies of the GPU tests, beside those of the examples.
namespace gpu_tasks {

/// The paper's figure 6, the body of its kernel node.
struct count_leaves {
  template <class Lane, class Port>
  CHANNELS_DEVICE channels::outcome operator()(Lane& lane, int n, Port& children, long& sum) const {
    if (n <= 2) {
      sum += 1;
      return lane.done();
    }
    if (!children.reserve(2)) return lane.retry();
    (void)children.push(n - 1);
    (void)children.push(n - 2);
    return lane.done();
  }
};

/// fib that puts every child on the stack, with a frame that its children may read or not.
template <class Result, bool SharesFrame>
struct stacked_fib {
  static constexpr const char* name = "stacked_fib";
  using result_type = Result;
  using arguments = tasks::fib::arguments;
  struct frame {
    Result x, y;
  };
  using spawns = channels::task_list<stacked_fib>;
  static constexpr std::uint32_t spawn_bound = 2;
  static constexpr bool shares_frame = SharesFrame;
  static constexpr bool results_in_frame = true;

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome enter(Lane& lane, const arguments& a) {
    if (a.n < 2) return lane.finish(a.n);
    frame* const f = lane.template open<stacked_fib>(2);
    if (f == nullptr) return lane.retry();
    (void)lane.template spawn<stacked_fib>(&f->x, {a.n - 1});
    (void)lane.template spawn<stacked_fib>(&f->y, {a.n - 2});
    return lane.sync(1);
  }
  template <class Lane>
  CHANNELS_DEVICE static channels::outcome resume(Lane& lane, frame& f, std::uint32_t /*point*/) {
    return lane.finish(f.x + f.y);
  }
};
using fib_shared = stacked_fib<long, true>;
using fib_stacked = stacked_fib<int, false>;

/// Sums 0 to count - 1 through blocks of memory that each level allocates for its children: one for
/// each, of different sizes, and one that may be empty.
struct blocks {
  static constexpr const char* name = "blocks";
  using result_type = long;
  struct arguments {
    const long* values;
    long count;
  };
  struct frame {
    arguments args;
    long child;
    long sums[3];
    void* empty;
  };
  using spawns = channels::task_list<blocks>;
  static constexpr std::uint32_t spawn_bound = channels::unbounded;
  static constexpr bool allocates = true;

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome enter(Lane& lane, const arguments& a) {
    if (a.count == 0) return lane.finish(0);
    if (a.count == 1) return lane.finish(a.values[0]);
    frame* const f = lane.open();
    if (f == nullptr) return lane.retry();
    f->args = a;
    f->child = 0;
    f->empty = lane.allocate(0);
    if (f->empty == nullptr) return lane.yield(0);
    return go_on(lane, *f);
  }
  template <class Lane>
  CHANNELS_DEVICE static channels::outcome resume(Lane& lane, frame& f, std::uint32_t point) {
    if (point == 1) return lane.finish(f.sums[0] + f.sums[1] + f.sums[2]);
    if (f.child == 0) {
      f.empty = lane.allocate(0);
      if (f.empty == nullptr) return lane.yield(0);
    }
    return go_on(lane, f);
  }

 private:
  template <class Lane>
  CHANNELS_DEVICE static channels::outcome go_on(Lane& lane, frame& f) {
    for (; f.child != 3; ++f.child) {
      const long first = f.args.count * f.child / 3;
      const long size = f.args.count * (f.child + 1) / 3 - first;
      auto* const copy = static_cast<long*>(lane.allocate(static_cast<std::size_t>(size) * 8));
      if (copy == nullptr) return lane.yield(0);
      for (long i = 0; i < size; ++i) copy[i] = f.args.values[first + i];
      if (!lane.template spawn<blocks>(&f.sums[f.child], {copy, size})) return lane.yield(0);
    }
    return lane.sync(1);
  }
};

/// A tree of tasks whose frames do all that frames can: some are not needed after all, some wait
/// for no child, some for children several times, while others of their level come and go.
struct moody {
  static constexpr const char* name = "moody";
  using result_type = long;
  struct arguments {
    std::uint32_t seed;
    std::uint32_t depth;
  };
  struct frame {
    arguments args;
    std::uint32_t round;
    long sum;
    long results[3];
  };
  using spawns = channels::task_list<moody>;
  static constexpr std::uint32_t spawn_bound = 3;

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome enter(Lane& lane, const arguments& a) {
    if (a.depth == 0) return lane.finish(1);
    frame* const f = lane.template open<moody>(children(a, 0));
    if (f == nullptr) return lane.retry();
    if (needs_no_frame(a)) return lane.finish(7);
    f->args = a;
    f->round = 0;
    f->sum = 1;
    return go_on(lane, *f);
  }
  template <class Lane>
  CHANNELS_DEVICE static channels::outcome resume(Lane& lane, frame& f, std::uint32_t point) {
    if (point == 1) {
      for (std::uint32_t i = 0; i < children(f.args, f.round); ++i) f.sum += f.results[i];
      ++f.round;
    }
    if (f.round == rounds(f.args)) return lane.finish(f.sum);
    if (!lane.template reserve<moody>(children(f.args, f.round))) return lane.yield(0);
    return go_on(lane, f);
  }

  static long serial(const arguments& a) {
    if (a.depth == 0) return 1;
    if (needs_no_frame(a)) return 7;
    long sum = 1;
    for (std::uint32_t round = 0; round < rounds(a); ++round) {
      for (std::uint32_t i = 0; i < children(a, round); ++i) sum += serial(child(a, round, i));
    }
    return sum;
  }

 private:
  static constexpr CHANNELS_DEVICE std::uint32_t mix(std::uint32_t seed, std::uint32_t n) {
    std::uint32_t x = (seed ^ n * 0x9e3779b9U) * 0x85ebca6bU;
    x = (x ^ x >> 15U) * 0xc2b2ae35U;
    return x ^ x >> 16U;
  }
  static constexpr CHANNELS_DEVICE std::uint32_t children(const arguments& a, std::uint32_t round) {
    return mix(a.seed, round) % 4;
  }
  static constexpr CHANNELS_DEVICE std::uint32_t rounds(const arguments& a) {
    return 1 + mix(a.seed, 10) % 3;
  }
  static constexpr CHANNELS_DEVICE bool needs_no_frame(const arguments& a) {
    return mix(a.seed, 11) % 8 == 0;
  }
  static constexpr CHANNELS_DEVICE arguments child(const arguments& a, std::uint32_t round,
                                                   std::uint32_t i) {
    return {mix(a.seed, 16 + 4 * round + i), a.depth - 1};
  }
  template <class Lane>
  CHANNELS_DEVICE static channels::outcome go_on(Lane& lane, frame& f) {
    for (std::uint32_t i = 0; i < children(f.args, f.round); ++i)
      (void)lane.template spawn<moody>(&f.results[i], child(f.args, f.round, i));
    return lane.sync(1);
  }
};

/// Two tasks that call each other, with frames that no other task reads: one has no result and
/// writes through a pointer, and the other's arguments are not whole words.
struct stamp {
  static constexpr const char* name = "stamp";
  using result_type = void;
  struct arguments {
    std::uint8_t* out;
    std::uint16_t first;
    std::uint16_t count;
  };
  struct frame {
    std::uint32_t unused;
  };
  using spawns = channels::task_list<stamp>;
  static constexpr std::uint32_t spawn_bound = 2;
  static constexpr bool shares_frame = false;
  static constexpr bool results_in_frame = true;

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome enter(Lane& lane, const arguments& a) {
    if (a.count == 0) return lane.finish();
    if (a.count == 1) {
      ++a.out[a.first];
      return lane.finish();
    }
    frame* const f = lane.template open<stamp>(2);
    if (f == nullptr) return lane.retry();
    const auto half = static_cast<std::uint16_t>(a.count / 2);
    (void)lane.template spawn<stamp>({a.out, a.first, half});
    (void)lane.template spawn<stamp>({a.out, static_cast<std::uint16_t>(a.first + half),
                                      static_cast<std::uint16_t>(a.count - half)});
    return lane.sync(1);
  }
  template <class Lane>
  CHANNELS_DEVICE static channels::outcome resume(Lane& lane, frame& /*f*/, std::uint32_t) {
    return lane.finish();
  }
};

/// Stamps `count` places twice in every level and returns how many stamps there were. Waits twice.
struct stamps {
  static constexpr const char* name = "stamps";
  using result_type = long;
  struct arguments {
    std::uint8_t* out;
    std::uint16_t count;
    std::uint8_t depth;
  };
  struct frame {
    arguments args;
    long left;
    long right;
  };
  using spawns = channels::task_list<stamp, stamps>;
  static constexpr std::uint32_t spawn_bound = 4;
  static constexpr bool shares_frame = false;
  static constexpr bool results_in_frame = true;

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome enter(Lane& lane, const arguments& a) {
    frame* const f = lane.template open<stamp, stamps>(2, 2);
    if (f == nullptr) return lane.retry();
    f->args = a;
    f->left = 0;
    f->right = 0;
    (void)lane.template spawn<stamp>({a.out, 0, static_cast<std::uint16_t>(a.count / 3)});
    if (a.depth != 0) {
      const auto below = static_cast<std::uint8_t>(a.depth - 1);
      (void)lane.template spawn<stamps>(&f->left, {a.out + a.count, a.count, below});
      (void)lane.template spawn<stamps>(
          &f->right, {a.out + (std::size_t{a.count} << a.depth), a.count, below});
    }
    (void)lane.template spawn<stamp>({a.out, static_cast<std::uint16_t>(a.count / 3),
                                      static_cast<std::uint16_t>(a.count - a.count / 3)});
    return lane.sync(1);
  }
  template <class Lane>
  CHANNELS_DEVICE static channels::outcome resume(Lane& lane, frame& f, std::uint32_t point) {
    if (point == 2) return lane.finish(2 * f.args.count + f.left + f.right);
    if (!lane.template reserve<stamp>(1)) return lane.yield(1);
    (void)lane.template spawn<stamp>({f.args.out, 0, f.args.count});
    return lane.sync(2);
  }
  /// How many places there are.
  static constexpr std::size_t places(unsigned count, unsigned depth) {
    return count * ((std::size_t{2} << depth) - 1);
  }
};

/// Marks `count` places, and has nothing to do after its sync.
struct mark {
  static constexpr const char* name = "mark";
  using result_type = void;
  struct arguments {
    std::uint8_t* out;
    std::uint32_t count;
  };
  struct frame {
    std::uint32_t unused;
  };
  using spawns = channels::task_list<mark>;
  static constexpr std::uint32_t spawn_bound = 2;
  static constexpr bool shares_frame = false;
  static constexpr bool results_in_frame = true;
  static constexpr bool sums_up = true;
  static constexpr auto reach = channels::reach::host;

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome enter(Lane& lane, const arguments& a) {
    if (a.count < 2) {
      if (a.count == 1) ++*a.out;
      return lane.finish();
    }
    frame* const f = lane.template open<mark>(2);
    if (f == nullptr) return lane.retry();
    (void)lane.template spawn<mark>({a.out, a.count / 2});
    (void)lane.template spawn<mark>({a.out + a.count / 2, a.count - a.count / 2});
    return lane.sync(1);
  }
  template <class Lane>
  CHANNELS_DEVICE static channels::outcome resume(Lane& lane, frame& /*f*/, std::uint32_t) {
    return lane.finish();
  }
};

/// Marks places in each level of a tree that has one to four children at a node, and adds up what
/// is not a whole number of levels' worth: of a type that wraps around.
struct mark_tree {
  static constexpr const char* name = "mark_tree";
  using result_type = std::uint32_t;
  struct arguments {
    std::uint8_t* out;
    std::uint32_t count;
    std::uint8_t depth;
  };
  struct frame {
    std::uint32_t count;
    std::uint32_t sums[3];
  };
  using spawns = channels::task_list<mark_tree, mark>;
  static constexpr std::uint32_t spawn_bound = 4;
  static constexpr bool shares_frame = false;
  static constexpr bool results_in_frame = true;
  static constexpr bool sums_up = true;
  static constexpr auto reach = channels::reach::host;

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome enter(Lane& lane, const arguments& a) {
    frame* const f = lane.template open<mark_tree, mark>(3, 1);
    if (f == nullptr) return lane.retry();
    f->count = a.count;
    for (std::uint32_t& sum : f->sums) sum = 5;
    (void)lane.template spawn<mark>({a.out, a.count});
    if (a.depth != 0) {
      const auto below = static_cast<std::uint8_t>(a.depth - 1);
      std::uint8_t* out = a.out + a.count;
      for (unsigned i = 0; i <= a.depth % 3U; ++i) {
        (void)lane.template spawn<mark_tree>(&f->sums[i], {out, a.count, below});
        out += places(a.count, below);
      }
    }
    return lane.sync(1);
  }
  template <class Lane>
  CHANNELS_DEVICE static channels::outcome resume(Lane& lane, frame& f, std::uint32_t) {
    return lane.finish(4'000'000'000U + f.count + f.sums[0] + f.sums[1] + f.sums[2]);
  }

  /// How many places there are below a node of that depth, with its own.
  static constexpr CHANNELS_DEVICE std::size_t places(std::size_t count, unsigned depth) {
    std::size_t all = count;
    for (unsigned d = 1; d <= depth; ++d) all = count + (1 + d % 3) * all;
    return all;
  }
  static constexpr std::uint32_t serial(std::uint32_t count, unsigned depth) {
    std::uint32_t below = 4'000'000'000U + count + 15;
    for (unsigned d = 1; d <= depth; ++d) {
      below = 4'000'000'000U + count + 5 * (2 - d % 3) + (1 + d % 3) * below;
    }
    return below;
  }
};

/// Marks the places of a tree in loops that spawn and never wait: a node of `size` has a child of
/// each smaller size, and a `mark` for each. It spawns the two together or, if its size is odd, one
/// after the other. Returns the number of nodes.
struct mark_binomial {
  static constexpr const char* name = "mark_binomial";
  using result_type = std::uint32_t;
  static constexpr std::uint32_t most_size = 16;
  struct arguments {
    std::uint8_t* out;    ///< 2^size places, one for each node, and as many
    std::uint8_t* above;  ///< one for each node but the root
    std::uint32_t size;
  };
  struct frame {
    arguments args;
    std::uint32_t next;  ///< child
    std::uint32_t sums[most_size];
  };
  using spawns = channels::task_list<mark_binomial, mark>;
  static constexpr std::uint32_t spawn_bound = channels::unbounded;
  static constexpr bool shares_frame = false;
  static constexpr bool results_in_frame = true;
  static constexpr bool sums_up = true;
  static constexpr auto reach = channels::reach::host;
  static constexpr std::size_t kept_frame = offsetof(frame, sums);
  static constexpr std::uint32_t most_at_once = 2;

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome enter(Lane& lane, const arguments& a) {
    frame* const f = lane.template open<mark>(1);
    if (f == nullptr) return lane.retry();
    (void)lane.template spawn<mark>({a.out, 1});
    f->args = a;
    f->next = 0;
    return resume(lane, *f, 1);
  }
  template <class Lane>
  CHANNELS_DEVICE static channels::outcome resume(Lane& lane, frame& f, std::uint32_t point) {
    const std::uint32_t size = f.args.size;
    if (point == 4) {
      std::uint32_t sum = 1;
      if constexpr (!channels::adds_results<Lane>) {
        for (std::uint32_t i = 0; i < size; ++i) sum += f.sums[i];
      }
      return lane.finish(sum);
    }
    for (;;) {
      if (point == 1) {
        if (f.next == size) return lane.sync(4);
        if (size % 2 == 0) {
          if (!lane.template reserve<mark, mark_binomial>(1, 1)) return lane.yield(1);
          (void)tell(lane, f);
          (void)go_below(lane, f);
          continue;
        }
        if (!tell(lane, f)) return lane.yield(1);
        point = 2;
      }
      if (!go_below(lane, f)) return lane.yield(2);
      point = 1;
    }
  }

 private:
  template <class Lane>
  CHANNELS_DEVICE static bool tell(Lane& lane, frame& f) {
    return lane.template spawn<mark>({f.args.above + (1U << f.next), 1});
  }
  template <class Lane>
  CHANNELS_DEVICE static bool go_below(Lane& lane, frame& f) {
    const std::uint32_t i = f.next;
    const std::uint32_t place = 1U << i;
    if (!lane.template spawn<mark_binomial>(&f.sums[i],
                                            {f.args.out + place, f.args.above + place, i}))
      return false;
    f.next = i + 1;
    return true;
  }
};

/// Two tasks that call each other, write through pointers, and differ in everything: `fill` cuts a
/// range into pieces, in a loop with many children, and `halve` cuts a piece in two.
struct halve;
struct fill {
  static constexpr const char* name = "fill";
  using result_type = void;
  struct arguments {
    std::uint32_t* out;
    std::uint16_t* sizes;  // of the pieces, by their first element
    std::uint32_t first;
    std::uint32_t count;
  };
  struct frame {
    arguments args;
    std::uint32_t next;
  };
  using spawns = channels::task_list<halve>;
  static constexpr std::uint32_t spawn_bound = channels::unbounded;

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome enter(Lane& lane, const arguments& a);
  template <class Lane>
  CHANNELS_DEVICE static channels::outcome resume(Lane& lane, frame& f, std::uint32_t point);

 private:
  template <class Lane>
  CHANNELS_DEVICE static channels::outcome go_on(Lane& lane, frame& f);
};

/// Adds one to each of `count` bytes: in pieces, all of which it spawns where it begins, without a
/// bound that is known before.
struct fan {
  static constexpr const char* name = "fan";
  using result_type = void;
  struct arguments {
    std::uint8_t* out;
    std::uint32_t count;
    std::uint32_t pieces;
  };
  struct frame {
    arguments args;
  };
  using spawns = channels::task_list<fan>;
  static constexpr std::uint32_t spawn_bound = channels::unbounded;

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome enter(Lane& lane, const arguments& a) {
    if (a.count == 1) {
      ++*a.out;
      return lane.finish();
    }
    const std::uint32_t pieces = a.pieces < a.count ? a.pieces : a.count;
    if (lane.template open<fan>(pieces) == nullptr) return lane.retry();
    for (std::uint32_t i = 0; i < pieces; ++i) {
      const std::uint32_t from = a.count / pieces * i;
      const std::uint32_t to = i + 1 == pieces ? a.count : from + a.count / pieces;
      (void)lane.template spawn<fan>({a.out + from, to - from, a.pieces});
    }
    return lane.sync(1);
  }
  template <class Lane>
  CHANNELS_DEVICE static channels::outcome resume(Lane& lane, frame& /*f*/, std::uint32_t) {
    return lane.finish();
  }
};

/// Returns how many elements it has filled, in a type that is smaller than a word.
struct halve {
  static constexpr const char* name = "halve";
  using result_type = std::uint16_t;
  struct arguments {
    std::uint32_t* out;
    std::uint16_t* sizes;
    std::uint32_t first;
    std::uint32_t count;
    std::uint8_t depth;
  };
  struct frame {
    std::uint16_t low, high;
  };
  using spawns = channels::task_list<halve, fill>;
  static constexpr std::uint32_t spawn_bound = 3;
  static constexpr bool shares_frame = false;

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome enter(Lane& lane, const arguments& a) {
    if (a.count == 1) {
      a.out[a.first] = a.first * 3 + a.depth;
      return lane.finish(1);
    }
    frame* const f = lane.template open<halve, fill>(2, 1);
    if (f == nullptr) return lane.retry();
    const std::uint32_t half = a.count / 2;
    f->low = 0;
    f->high = 0;
    const auto below = static_cast<std::uint8_t>(a.depth + 1);
    (void)lane.template spawn<halve>(&f->low, {a.out, a.sizes, a.first, half, below});
    if (a.count % 5 == 4) {
      // A whole range again; its elements are counted here.
      (void)lane.template spawn<fill>({a.out, a.sizes, a.first + half, a.count - half});
      f->high = static_cast<std::uint16_t>(a.count - half);
    } else {
      (void)lane.template spawn<halve>(&f->high,
                                       {a.out, a.sizes, a.first + half, a.count - half, below});
    }
    return lane.sync(7);
  }
  template <class Lane>
  CHANNELS_DEVICE static channels::outcome resume(Lane& lane, frame& f, std::uint32_t point) {
    return lane.finish(point == 7 ? f.low + f.high : 0);
  }
};

template <class Lane>
CHANNELS_DEVICE channels::outcome fill::enter(Lane& lane, const arguments& a) {
  if (a.count == 0) return lane.finish();
  frame* const f = lane.open();
  if (f == nullptr) return lane.retry();
  f->args = a;
  f->next = 0;
  return go_on(lane, *f);
}
template <class Lane>
CHANNELS_DEVICE channels::outcome fill::resume(Lane& lane, frame& f, std::uint32_t point) {
  return point == 0 ? go_on(lane, f) : lane.finish();
}
template <class Lane>
CHANNELS_DEVICE channels::outcome fill::go_on(Lane& lane, frame& f) {
  while (f.next < f.args.count) {
    const std::uint32_t size = f.args.count - f.next < 37 ? f.args.count - f.next : 37;
    if (!lane.template spawn<halve>(&f.args.sizes[f.args.first + f.next],
                                    {f.args.out, f.args.sizes, f.args.first + f.next, size, 0})) {
      return lane.yield(0);
    }
    f.next += size;
  }
  return lane.sync(1);
}

/// What `fill` and `halve` do, as plain recursions.
inline void serial_halve(std::vector<std::uint32_t>& out, std::vector<std::uint16_t>& sizes,
                         std::uint32_t first, std::uint32_t count, std::uint32_t depth);
inline void serial_fill(std::vector<std::uint32_t>& out, std::vector<std::uint16_t>& sizes,
                        std::uint32_t first, std::uint32_t count) {
  for (std::uint32_t next = 0; next < count; next += 37) {
    const std::uint32_t size = std::min(count - next, 37U);
    serial_halve(out, sizes, first + next, size, 0);
    sizes[first + next] = static_cast<std::uint16_t>(size);
  }
}
inline void serial_halve(std::vector<std::uint32_t>& out, std::vector<std::uint16_t>& sizes,
                         std::uint32_t first, std::uint32_t count, std::uint32_t depth) {
  if (count == 1) {
    out[first] = first * 3 + depth;
    return;
  }
  serial_halve(out, sizes, first, count / 2, depth + 1);
  if (count % 5 == 4) {
    serial_fill(out, sizes, first + count / 2, count - count / 2);
  } else {
    serial_halve(out, sizes, first + count / 2, count - count / 2, depth + 1);
  }
}

}  // namespace gpu_tasks
