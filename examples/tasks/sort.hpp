#pragma once

#include <algorithm>  // sort, merge, lower_bound
#include <cstddef>    // ptrdiff_t

#include "channels/leaf.hpp"
#include "group_sort.hpp"

namespace tasks {

/// Below these sizes a sort or a merge is one task. The paper sorts 64 elements at a time.
struct sort_cutoffs {
  std::ptrdiff_t sort = 64;
  std::ptrdiff_t merge = 64;
};

/// A sorted range of an array.
struct sorted_range {
  const int* begin;
  const int* end;

  [[nodiscard]] CHANNELS_DEVICE std::ptrdiff_t size() const { return end - begin; }
};

/// Merges two sorted ranges into the elements from `to` on, which overlap neither. As in MIT
/// Cilk's cilksort, both ranges are cut in two at the middle element of the longer one.
///
///     void merge(struct sorted_range a, struct sorted_range b, int* to, long cutoff) {
///       if (a.size + b.size <= cutoff) { serial_merge(a, b, to); return; }
///       if (a.size < b.size) swap(a, b);
///       const int* p = middle(a);
///       const int* q = lower_bound(b, *p);
///       cilk_spawn merge({a.begin, p}, {b.begin, q}, to, cutoff);
///       cilk_spawn merge({p, a.end}, {q, b.end}, to + (p - a.begin) + (q - b.begin), cutoff);
///       cilk_sync;
///     }
struct merge {
  static constexpr const char* name = "merge";
  using result_type = void;
  struct arguments {
    sorted_range a;
    sorted_range b;
    int* to;
    std::ptrdiff_t cutoff;
  };
  struct frame {};
  using spawns = channels::task_list<merge>;
  static constexpr std::uint32_t spawn_bound = 2;
  static constexpr std::size_t leaf_memory = 0;

  CHANNELS_DEVICE static arguments whole(const sorted_range& a, const sorted_range& b, int* to,
                                         std::ptrdiff_t cutoff) {
    return {a, b, to, cutoff};
  }
  CHANNELS_DEVICE static bool is_leaf(const arguments& args) {
    return args.a.size() + args.b.size() <= args.cutoff;
  }
  static void serial_leaf(const arguments& args) {
    std::merge(args.a.begin, args.a.end, args.b.begin, args.b.end, args.to);
  }
  template <class Group>
  CHANNELS_DEVICE static void leaf(Group& group, const arguments& args) {
    group_merge(group, args.a.begin, args.a.size(), args.b.begin, args.b.size(), args.to);
  }

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome enter(Lane& lane, const arguments& args) {
    if (is_leaf(args)) return channels::run_leaf<merge>(lane, args);
    if (lane.template open<merge>(2) == nullptr) return lane.retry();
    const halves h = split(args);
    (void)lane.template spawn<merge>(h.low);
    (void)lane.template spawn<merge>(h.high);
    return lane.sync(1);
  }

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome resume(Lane& lane, frame& /*f*/,
                                                  std::uint32_t /*point*/) {
    return lane.finish();
  }

  /// The two merges into which one of at least two elements is cut.
  struct halves {
    arguments low;
    arguments high;
  };
  CHANNELS_DEVICE static halves split(const arguments& args) {
    const bool longer = args.a.size() >= args.b.size();
    const sorted_range a = longer ? args.a : args.b;
    const sorted_range b = longer ? args.b : args.a;
    const int* const p = a.begin + a.size() / 2;
    const int* const q = std::lower_bound(b.begin, b.end, *p);
    int* const to = args.to + (p - a.begin) + (q - b.begin);
    return {{{a.begin, p}, {b.begin, q}, args.to, args.cutoff},
            {{p, a.end}, {q, b.end}, to, args.cutoff}};
  }
};

/// Sorts `size` elements from `data` on; `scratch` has room for as many (paper, section 7.1, and
/// MIT Cilk's cilksort).
///
///     void sort(int* data, int* scratch, long size, struct sort_cutoffs cutoffs) {
///       if (size <= cutoffs.sort) { serial_sort(data, size); return; }
///       long quarter = size / 4;
///       int *a = data, *b = a + quarter, *c = b + quarter, *d = c + quarter;
///       cilk_spawn sort(a, scratch, quarter, cutoffs);                     // so with b, c
///       cilk_spawn sort(d, scratch + 3 * quarter, size - 3 * quarter, cutoffs);
///       cilk_sync;
///       cilk_spawn merge({a, b}, {b, c}, scratch, cutoffs.merge);
///       cilk_spawn merge({c, d}, {d, data + size}, scratch + 2 * quarter, cutoffs.merge);
///       cilk_sync;
///       cilk_spawn merge({scratch, scratch + 2 * quarter},
///                        {scratch + 2 * quarter, scratch + size}, data, cutoffs.merge);
///       cilk_sync;
///     }
template <class Self, class Merge>
struct cilksort {
  using result_type = void;
  struct arguments {
    int* data;
    int* scratch;
    std::ptrdiff_t size;
    sort_cutoffs cutoffs;
  };
  using frame = arguments;
  using spawns = channels::task_list<Self, Merge>;
  static constexpr std::uint32_t spawn_bound = 4;
  static constexpr std::size_t leaf_memory = 0;

  CHANNELS_DEVICE static bool is_leaf(const arguments& args) {
    return args.size <= args.cutoffs.sort;
  }
  static void serial_leaf(const arguments& args) { std::sort(args.data, args.data + args.size); }
  template <class Group>
  CHANNELS_DEVICE static void leaf(Group& group, const arguments& args) {
    group_sort(group, args.data, args.scratch, args.size);
  }

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome enter(Lane& lane, const arguments& args) {
    if (is_leaf(args)) return channels::run_leaf<Self>(lane, args);
    frame* const f = lane.template open<Self>(4);
    if (f == nullptr) return lane.retry();
    *f = args;
    for (int i = 0; i < 4; ++i) (void)lane.template spawn<Self>(quarter(args, i));
    return lane.sync(quarters_sorted);
  }

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome resume(Lane& lane, frame& f, std::uint32_t point) {
    switch (point) {
      case quarters_sorted:
        if (!lane.template reserve<Merge>(2)) return lane.yield(point);
        (void)lane.template spawn<Merge>(merge_quarters(f, 0));
        (void)lane.template spawn<Merge>(merge_quarters(f, 2));
        return lane.sync(halves_sorted);
      case halves_sorted:
        if (!lane.template spawn<Merge>(merge_halves(f))) return lane.yield(point);
        return lane.sync(all_sorted);
      default: return lane.finish();
    }
  }

  /// The sort of the i-th quarter; the last one takes what does not divide by four.
  CHANNELS_DEVICE static arguments quarter(const arguments& args, int i) {
    const std::ptrdiff_t each = args.size / 4;
    const std::ptrdiff_t size = i < 3 ? each : args.size - 3 * each;
    return {args.data + i * each, args.scratch + i * each, size, args.cutoffs};
  }
  /// The merge of the i-th quarter and the next into the scratch space.
  CHANNELS_DEVICE static typename Merge::arguments merge_quarters(const arguments& args, int i) {
    const arguments a = quarter(args, i);
    const arguments b = quarter(args, i + 1);
    return Merge::whole({a.data, a.data + a.size}, {b.data, b.data + b.size}, a.scratch,
                        args.cutoffs.merge);
  }
  /// The merge of both halves from the scratch space back into the data.
  CHANNELS_DEVICE static typename Merge::arguments merge_halves(const arguments& args) {
    const int* const middle = args.scratch + 2 * (args.size / 4);
    return Merge::whole({args.scratch, middle}, {middle, args.scratch + args.size}, args.data,
                        args.cutoffs.merge);
  }

 private:
  enum : std::uint32_t { quarters_sorted, halves_sorted, all_sorted };
};
struct sort : cilksort<sort, merge> {
  static constexpr const char* name = "sort";
};

/// Merges two sorted ranges to `to` as `merge` does, but cuts the result, in up to sixteen parts at
/// once, and searches only in leaves, where a GPU's wavefront searches together. So a large merge
/// soon has as many parts as there are wavefronts.
///
///     void merge_part(struct sorted_range a, struct sorted_range b, int* to, long cutoff, long first, long count) {
///       if (count <= cutoff) { serial_merge_part(a, b, to, first, count); return; }
///       long each = size_of_parts(count, cutoff);
///       for (long i = 0; i < count; i += each)
///         cilk_spawn merge_part(a, b, to, cutoff, first + i, min(each, count - i));
///       cilk_sync;
///     }
struct merge_part {
  static constexpr const char* name = "merge_part";
  using result_type = void;
  struct arguments {
    sorted_range a;
    sorted_range b;
    int* to;
    std::ptrdiff_t cutoff;
    std::ptrdiff_t first;  ///< element of the result
    std::ptrdiff_t count;  ///< elements of the result
  };
  struct frame {};
  using spawns = channels::task_list<merge_part>;
  static constexpr std::uint32_t spawn_bound = 16;
  static constexpr std::size_t leaf_memory = 0;

  CHANNELS_DEVICE static arguments whole(const sorted_range& a, const sorted_range& b, int* to,
                                         std::ptrdiff_t cutoff) {
    return {a, b, to, cutoff, 0, a.size() + b.size()};
  }
  CHANNELS_DEVICE static bool is_leaf(const arguments& args) { return args.count <= args.cutoff; }
  template <class Group>
  CHANNELS_DEVICE static void leaf(Group& group, const arguments& args) {
    const merge_cuts cuts = cuts_of(group, args);
    group_merge(group, args.a.begin + cuts.first, cuts.last - cuts.first,
                args.b.begin + (args.first - cuts.first), args.count - (cuts.last - cuts.first),
                args.to + args.first);
  }
  static void serial_leaf(const arguments& args) {
    channels::single_lane<merge_part> alone;
    const merge_cuts cuts = cuts_of(alone, args);
    std::merge(args.a.begin + cuts.first, args.a.begin + cuts.last,
               args.b.begin + (args.first - cuts.first),
               args.b.begin + (args.first + args.count - cuts.last), args.to + args.first);
  }

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome enter(Lane& lane, const arguments& args) {
    if (is_leaf(args)) return channels::run_leaf<merge_part>(lane, args);
    const std::ptrdiff_t each = size_of_parts(args);
    const std::ptrdiff_t parts = (args.count + each - 1) / each;
    if (lane.template open<merge_part>(static_cast<std::uint32_t>(parts)) == nullptr)
      return lane.retry();
    for (std::ptrdiff_t i = 0; i < parts; ++i) {
      arguments part = args;
      part.first += i * each;
      part.count = i + 1 < parts ? each : args.count - i * each;
      (void)lane.template spawn<merge_part>(part);
    }
    return lane.sync(1);
  }
  template <class Lane>
  CHANNELS_DEVICE static channels::outcome resume(Lane& lane, frame& /*f*/,
                                                  std::uint32_t /*point*/) {
    return lane.finish();
  }

 private:
  template <class Group>
  CHANNELS_DEVICE static merge_cuts cuts_of(const Group& group, const arguments& args) {
    return find_cuts(group, args.a.begin, args.a.size(), args.b.begin, args.b.size(), args.first,
                     args.first + args.count);
  }
  /// The size of a part: all leaves but the last have the cutoff's size.
  CHANNELS_DEVICE static std::ptrdiff_t size_of_parts(const arguments& args) {
    std::ptrdiff_t each = args.cutoff;
    while (each * spawn_bound < args.count) each *= spawn_bound;
    return each;
  }
};

/// The sort with such merges.
struct sort_by_parts : cilksort<sort_by_parts, merge_part> {
  static constexpr const char* name = "sort_by_parts";
};

}  // namespace tasks
