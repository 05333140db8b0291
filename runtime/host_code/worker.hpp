#pragma once

#include <algorithm>  // min
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
  /// Views of the parent's strand up to the spawn, and of the child's strand when the child has
  /// ended.
  channels_cilk_views* before = nullptr;
  channels_cilk_views* after = nullptr;
  std::exception_ptr thrown;
  /// Number of uncaught exceptions in the giving thread at the spawn. If there are more at the
  /// join, the join is part of an unwinding.
  int unwinding = 0;
  bool waiting = false;           ///< in the giver's deque; the giver's mutex guards it
  std::uint8_t fork = 0;          ///< `fork_generation()` when it was taken; the same mutex
  std::uint16_t computation = 0;  ///< of the frame that gave it: see worker
  std::uint64_t depth = 0;        ///< of the frame that gave it: bytes of stack below the root
  std::uintptr_t frame = 0;       ///< address of the frame that gave it
  std::uint64_t path = 0;         ///< the longest chain of strands up to its end (strand_clock.hpp)
  channels::host_code::worker* giver =
      nullptr;  ///< the worker that gave it; null if it ran at once
  // The giver's mutex guards the next three.
  channels::host_code::worker* taker =
      nullptr;  ///< the worker that runs it, if it is not the giver
  channels_cilk_child* deque_older = nullptr;
  channels_cilk_child* deque_newer = nullptr;
  /// The taker stores it last, with release; the parent loads it with acquire. So the child's work
  /// and the fields above happen before what the parent does next. Then the record belongs to the
  /// parent.
  std::atomic<bool> ended{false};

  [[nodiscard]] void* closure() { return this + 1; }
  static channels_cilk_child* of(void* closure) {
    return static_cast<channels_cilk_child*>(closure) - 1;
  }
};

// Two cache lines: giving a child writes all of it.
static_assert(sizeof(channels_cilk_child) == 128);

namespace channels::host_code {

using child = channels_cilk_child;
using clock = std::chrono::steady_clock;

/// The number of no computation.
inline constexpr std::uint16_t no_computation = UINT16_MAX;

/// In place of a worker's number: it has none.
inline constexpr std::uint32_t no_number = UINT32_MAX;

/// A count that one thread adds to, and any thread reads. Relaxed: it orders nothing.
class tally {
 public:
  tally& operator+=(std::uint64_t more) {
    __atomic_store_n(&count_, count_ + more, __ATOMIC_RELAXED);
    return *this;
  }
  tally& operator++() { return *this += 1; }
  operator std::uint64_t() const { return __atomic_load_n(&count_, __ATOMIC_RELAXED); }

 private:
  std::uint64_t count_ = 0;
};

/// What a worker counted. Its thread writes it.
struct worker_counts {
  tally given;
  tally declined;    ///< children that ran as plain calls because nobody wanted them after all
  tally taken_back;  ///< children that their giver ran itself
  tally taken;       ///< children taken from another worker
  tally waits;       ///< joins that waited for a child on another worker
  tally wait_ns;     ///< time in waits and searches without running anything
  tally loop_splits;

  worker_counts& operator+=(const worker_counts& o);
};

/// What went between this rank and the others. Relaxed everywhere: the counts order nothing.
struct net_counts {
  std::atomic<std::uint64_t> given{0};    ///< children that went to other ranks
  std::atomic<std::uint64_t> taken{0};    ///< children that came from other ranks
  std::atomic<std::uint64_t> bytes{0};    ///< sent to other ranks, with results and messages
  std::atomic<std::uint64_t> away_ns{0};  ///< time from sending a child to its result, of all
};

/// Tells the processor that this thread waits for another thread.
void pause();

/// A spinning mutex. It is held for some tens of instructions, and seldom wanted by more than two
/// threads, so going to sleep would take longer.
class brief_mutex {
 public:
  void lock() noexcept {
    if (!try_lock()) wait();
  }
  bool try_lock() noexcept {
    // Acquire, with the release in `unlock`: this thread sees what the last owner wrote.
    return !held_.exchange(true, std::memory_order_acquire);
  }
  void unlock() noexcept {
    // Release: see `try_lock`.
    held_.store(false, std::memory_order_release);
  }

 private:
  [[gnu::cold, gnu::noinline]] void wait() noexcept;

  std::atomic<bool> held_{false};
};

/// A depth in bytes that no stack reaches.
inline constexpr std::uint64_t unbounded_depth = std::uint64_t{1} << 40U;

/// A thread that gives children away or takes them. A worker whose thread comes from the crew is a
/// *taker*. `attach` makes the object, and it is never freed, because other workers may still look
/// at it when its thread has ended; another thread then uses it again.
struct alignas(cache_line) worker {
  // ---- guarded by `mutex`; giving is rare enough for a lock ----
  brief_mutex mutex;
  child* oldest = nullptr;  ///< the deque: others take the oldest, the owner takes back the newest
  child* newest = nullptr;
  /// The thread's `channels_cilk_limit` and `channels_cilk_depth`; null when the worker has no
  /// thread.
  std::uintptr_t* limit = nullptr;
  std::uintptr_t* depth = nullptr;
  /// Addresses. Between them the thread's stack has room for joins and for other workers' children;
  /// the quarter below is left for plain calls, which need less. Both are 0 if nothing is known.
  std::uintptr_t stack_low = 0;
  std::uintptr_t stack_high = 0;
  /// Address that the computation's root would have if its stack continued on this thread's stack:
  /// root - (address of a frame) is the frame's depth.
  std::uintptr_t root = 0;
  std::uint32_t nested = 0;  ///< children that this worker has begun and not ended
  /// What the thread runs belongs to: the worker's number for a thread of the program, and of a
  /// child what its giver's frame belonged to.
  std::uint16_t computation = no_computation;
  /// A child that nobody takes costs time. Each one moves `allowance` on by its cost; while the
  /// allowance is later than now, the worker is overdrawn and gives nothing.
  clock::time_point allowance;
  bool overdrawn = false;
  /// Number of children that the frame of the oldest child may have in the deque. It is more than
  /// one only if children that others took ended soon.
  std::uint32_t ahead = 1;
  /// Frames down to this depth give, in bytes of stack below the root. Hungry workers that wait
  /// increase it, and children that end soon decrease it.
  std::uint64_t give_depth = unbounded_depth;
  // Since it was last adapted: number of this worker's given children that ended, their time, and
  // the sum of their depths.
  std::uint32_t sampled = 0;
  std::uint64_t sampled_ns = 0;
  std::uint64_t sampled_depth = 0;

  // ---- read by hungry workers, over and over ----
  /// When `give_depth` was last increased. Relaxed, like `asked`: hungry workers look at them to
  /// see whether to lock the mutex.
  alignas(cache_line) std::atomic<clock::rep> depth_increased{0};
  /// Whether the worker gives the next child that it can.
  std::atomic<bool> asked{false};
  /// Length of the deque. Written under the mutex; others read it without, to see where to look.
  /// The uses explain their memory orders.
  std::atomic<std::uint32_t> size{0};
  /// How many children of the deque cannot go to another rank, when one looked last. Relaxed, like
  /// `asked`: it only decides how many to give.
  std::atomic<std::uint32_t> staying{0};
  /// The length without these.
  [[nodiscard]] std::uint32_t offered() const {
    const std::uint32_t all = size.load(std::memory_order_relaxed);
    return all - std::min(all, staying.load(std::memory_order_relaxed));
  }
  /// Who took the child that this worker waits for at a join. Relaxed: others ask that worker for
  /// children, and any worker may be asked.
  std::atomic<worker*> waits_for{nullptr};
  /// Whether a thread has this worker. Sequentially consistent by default: attaching is rare, and
  /// the pool's mutex orders it.
  std::atomic<bool> attached{false};
  /// Whether it stands still for ever: `exit` ends its computation. Relaxed: only a wait looks.
  std::atomic<bool> parked{false};

  // ---- only for the worker's own thread ----
  alignas(cache_line) std::uint32_t index = 0;
  std::uint64_t random_state = 1;
  bool of_crew = false;    ///< a thread of the crew, not of the program
  std::uint64_t open = 0;  ///< children that it gave and has not joined
  /// What the program knows it by (worker_pool::number_here); none until the program asks.
  std::uint32_t number = no_number;
  /// Time that the last child ran that this worker took from another.
  clock::duration last_taken{};
  worker_counts counted;
  std::unique_ptr<worker_trace> trace;  ///< null without a trace

  /// The next random number of this worker's sequence.
  std::uint64_t random();
  /// Finds the calling thread's stack.
  void learn_stack();
  [[nodiscard]] bool has_stack(std::uintptr_t address) const {
    return address > stack_low && address < stack_high;
  }
  /// The caller of these two holds the mutex.
  void push(child& c);
  void remove(child& c);
};

}  // namespace channels::host_code
