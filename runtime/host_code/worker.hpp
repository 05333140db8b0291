#pragma once

#include <atomic>     // atomic
#include <chrono>     // steady_clock
#include <cstddef>    // byte
#include <cstdint>    // fixed-width integers
#include <exception>  // exception_ptr
#include <memory>     // unique_ptr
#include <mutex>      // lock_guard, for brief_mutex

#include "channels/cilk/abi.h"
#include "channels/config.hpp"
#include "runtime/host_code/worker_trace.hpp"

namespace channels::host_code {
struct worker;
}

/// A child that was given away: its record, in front of its closure.
struct alignas(64) channels_cilk_child {
  channels_cilk_child* older = nullptr;  ///< the frame's child before this one
  void (*run)(void*) = nullptr;
  void (*finish)(void*) = nullptr;
  void (*drop)(void*) = nullptr;
  /// Views of the parent's strand up to the spawn, and of the child's when it has ended.
  channels_cilk_views* before = nullptr;
  channels_cilk_views* after = nullptr;
  std::exception_ptr thrown;
  /// Exceptions on their way through the giving thread: with more of them, a join is part of an
  /// unwinding.
  int unwinding = 0;
  std::uint64_t depth = 0;                      ///< at birth: bytes of stack below the root
  std::uintptr_t frame = 0;                     ///< where the frame is that gave it
  channels::host_code::worker* home = nullptr;  ///< who gave it; null if it was run at once
  // The next two, and the links, are guarded by home's mutex.
  bool waiting = false;                          ///< in home's deque
  channels::host_code::worker* thief = nullptr;  ///< who runs it, if that is not home
  channels_cilk_child* deque_older = nullptr;
  channels_cilk_child* deque_newer = nullptr;
  /// Stored by the thief, last of all, with release: what the child did, and what is written above,
  /// happens before what its parent does when it has seen this with acquire. Then the record is the
  /// parent's.
  std::atomic<bool> ended{false};

  [[nodiscard]] void* closure() { return this + 1; }
  static channels_cilk_child* of(void* closure) {
    return static_cast<channels_cilk_child*>(closure) - 1;
  }
};

namespace channels::host_code {

using child = channels_cilk_child;
using clock = std::chrono::steady_clock;

/// What a worker counted. Written by its thread, read when the thread has gone or stands still, but
/// for `given`, which the progress line reads at any time.
struct counters {
  std::uint64_t given = 0;
  std::uint64_t declined = 0;    ///< gifts that turned out not to be wanted
  std::uint64_t taken_back = 0;  ///< begun by the worker that gave them
  std::uint64_t stolen = 0;      ///< taken from another worker
  std::uint64_t waits = 0;       ///< joins of a child that ran elsewhere
  std::uint64_t wait_ns = 0;     ///< time in those without running anything
  std::uint64_t loop_splits = 0;

  counters& operator+=(const counters& o);
};

/// Tells the processor that this thread waits for another.
void pause();

/// Held for some tens of instructions, and not by more than two threads as a rule: going to sleep
/// would take longer.
class brief_mutex {
 public:
  void lock() noexcept {
    if (!try_lock()) wait();
  }
  bool try_lock() noexcept {
    // Acquire, and release below: what the last owner wrote.
    return !held_.exchange(true, std::memory_order_acquire);
  }
  void unlock() noexcept { held_.store(false, std::memory_order_release); }

 private:
  [[gnu::cold, gnu::noinline]] void wait() noexcept;

  std::atomic<bool> held_{false};
};

/// A thread that gives children away or takes them. Made by `attach`, kept for ever, and used again
/// by another thread when its own has gone: a thief may still look at it.
struct alignas(cache_line) worker {
  // ---- guarded by `mutex`; a gift is rare enough for a lock ----
  brief_mutex mutex;
  child* oldest = nullptr;  ///< the deque: thieves take the oldest, the owner takes back the newest
  child* newest = nullptr;
  /// The thread's `channels_cilk_limit` and `channels_cilk_depth`; null when the worker has no
  /// thread.
  std::uintptr_t* limit = nullptr;
  std::uintptr_t* depth = nullptr;
  /// The thread's stack: between these there is room for joins and for other workers' children; the
  /// last quarter below is left for plain calls, which need less. Both 0 if nothing is known.
  std::uintptr_t stack_low = 0;
  std::uintptr_t stack_high = 0;
  /// Where the computation's root would be if its stack went on to this thread's without a seam:
  /// root - (address of a frame) is the frame's depth.
  std::uintptr_t root = 0;
  std::uint32_t nested = 0;  ///< children that this worker has begun and not ended
  /// Gifts that nobody took cost time. It is taken from here; who has none left gives nothing until
  /// he is asked again.
  clock::time_point allowance;
  bool broke = false;
  /// How many the frame that gave the oldest of them may have in the deque: more than one only if
  /// those that were stolen ended soon.
  std::uint32_t ahead = 1;

  /// Of the deque. Written under the mutex; read by thieves without it, to see where to look.
  /// Orders at the uses.
  std::atomic<std::uint32_t> size{0};
  std::atomic<bool> attached{false};

  // ---- the owner's alone ----
  std::uint32_t index = 0;
  std::uint64_t random_state = 1;
  bool is_thief = false;  ///< a thread from oneTBB, and none of the program's
  // Since the depth was last looked at: children that ended, how long they took, where they were
  // born.
  std::uint32_t sampled = 0;
  std::uint64_t sampled_ns = 0;
  std::uint64_t sampled_depth = 0;
  /// How long the last child ran that it stole.
  clock::duration last_stolen{};
  counters counted;
  std::unique_ptr<worker_trace> trace;  ///< null unless there is one

  /// The next random number of this worker's sequence.
  std::uint64_t random();
  /// Finds out where the calling thread's stack is.
  void learn_stack();
  [[nodiscard]] bool has_stack(std::uintptr_t address) const {
    return address > stack_low && address < stack_high;
  }
  /// With the mutex held.
  void push(child& c);
  void remove(child& c);
};

}  // namespace channels::host_code
