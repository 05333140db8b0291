#pragma once

#include <cstdint>  // uint32_t, uintptr_t

#include "runtime/races/mapped.hpp"

namespace channels::races {

/// A moment of the serial run. Each strand has a number of its own, in serial order; 0 is before
/// the program.
using moment = std::uint32_t;

/// A child that has ended and is not joined: what happened from `begin` to `end` may run in
/// parallel with all that comes until its frame's next sync.
struct open_child {
  moment begin;
  moment end;
  const void* frame;          ///< the frame that spawned it, or the loop that it is an iteration of
  std::uintptr_t dead_stack;  ///< the stack below this address was the child's own
  std::uintptr_t spawn;       ///< address of the code after the spawn
  bool loop;
};

/// Ends a program that has more strands than there are moments, with a message (report.cpp).
[[noreturn]] void out_of_moments();

/// The strands of a serial depth-first run. It does the work of the bags of Feng and Leiserson
/// ("Efficient detection of determinacy races in Cilk programs", SPAA 1997): in a run in this order
/// each ended child is an interval of strand numbers, the children that are not joined are disjoint
/// intervals on a stack, and a sync pops those of its frame. So an earlier strand may run in
/// parallel with the current one exactly if an interval holds its number. This takes memory for the
/// children that wait for a sync, and none for those that are joined.
class strand_stack {
 public:
  /// The current strand.
  moment now = 1;
  /// Only strands of [first, last) can be parallel to the current one.
  moment first = 0;
  moment last = 0;
  /// The newest open child: from `top_begin` on, its own stack below `top_dead`.
  moment top_begin = 0;
  std::uintptr_t top_dead = 0;

  /// Starts a child of the current strand; returns its first moment.
  moment begin_child() { return next(); }

  /// Ends the child that began at `begin`; its parent goes on. Iterations of one loop, in which
  /// nothing comes between, are one interval.
  void end_child(const open_child& child) {
    if (child.loop && count_ != 0) {
      open_child& top = all_[count_ - 1];
      if (top.loop && top.frame == child.frame) {
        top.end = last = next();
        return;
      }
    }
    if (count_ == room_) grow();
    all_[count_] = child;
    all_[count_].end = last = next();
    if (count_++ == 0) first = child.begin;
    top_begin = child.begin;
    top_dead = child.dead_stack;
  }

  /// Joins the children of `frame`.
  void join(const void* frame) {
    if (count_ == 0 || all_[count_ - 1].frame != frame) return;
    while (count_ != 0 && all_[count_ - 1].frame == frame) --count_;
    find_top();
  }

  /// What runs between two iterations of the loop `frame`, as if it joined those before: their
  /// interval, which `go_on_with` puts back. An interval that begins at 0 is none.
  open_child leave_iterations(const void* frame) {
    if (count_ == 0 || !all_[count_ - 1].loop || all_[count_ - 1].frame != frame) return {};
    const open_child iterations = all_[--count_];
    find_top();
    return iterations;
  }
  void go_on_with(const open_child& iterations) {
    if (iterations.begin == 0) return;
    all_[count_] = iterations;
    if (count_++ == 0) first = iterations.begin;
    find_top();
  }

  /// Joins all children that were spawned in [since, now], when an exception or a jump left frames.
  void join_since(moment since) {
    if (count_ == 0 || all_[count_ - 1].begin <= since) return;
    while (count_ != 0 && all_[count_ - 1].begin > since) --count_;
    find_top();
  }

  /// The child that ran at `when` and is not joined; null if there is none.
  [[nodiscard]] const open_child* find(moment when) {
    // Most accesses are of what the same child did, again.
    if (found_ < count_ && when - all_[found_].begin < all_[found_].end - all_[found_].begin)
      return &all_[found_];
    std::uint32_t low = 0;
    std::uint32_t high = count_;
    while (low < high) {
      const std::uint32_t middle = (low + high) / 2;
      if (all_[middle].begin <= when) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == 0 || when >= all_[low - 1].end) return nullptr;
    found_ = low - 1;
    return &all_[found_];
  }

 private:
  moment next() {
    if (__builtin_expect(now == UINT32_MAX, 0)) out_of_moments();
    return ++now;
  }
  void find_top() {
    const bool none = count_ == 0;
    last = none ? 0 : all_[count_ - 1].end;
    top_begin = none ? 0 : all_[count_ - 1].begin;
    top_dead = none ? 0 : all_[count_ - 1].dead_stack;
  }
  void grow() {
    const std::uint32_t room = room_ == 0 ? 1024 : room_ * 2;
    auto* const grown = mapped_array<open_child>(room);
    for (std::uint32_t i = 0; i < count_; ++i) grown[i] = all_[i];
    if (all_ != nullptr) munmap(all_, sizeof(open_child) * room_);
    all_ = grown;
    room_ = room;
  }

  open_child* all_ = nullptr;
  std::uint32_t count_ = 0;
  std::uint32_t room_ = 0;
  std::uint32_t found_ = 0;  ///< what find found last
};

}  // namespace channels::races
