#pragma once

#include <sys/mman.h>
#include <ucontext.h>

#include <atomic>   // atomic
#include <barrier>  // barrier
#include <cerrno>   // errno
#include <cstddef>  // byte, size_t
#include <cstdint>  // fixed-width integers
#include <cstdio>   // fprintf
#include <cstdlib>  // _Exit
#include <cstring>  // strerror
#include <vector>   // vector

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CHANNELS_FIBERS_FOR_TSAN
#elif __has_feature(address_sanitizer)
#define CHANNELS_FIBERS_FOR_ASAN
#endif
#elif defined(__SANITIZE_THREAD__)
#define CHANNELS_FIBERS_FOR_TSAN
#elif defined(__SANITIZE_ADDRESS__)
#define CHANNELS_FIBERS_FOR_ASAN
#endif
#if defined(CHANNELS_FIBERS_FOR_TSAN)
#include <sanitizer/tsan_interface.h>
#define CHANNELS_UNKNOWN_TO_TSAN __attribute__((no_sanitize("thread")))
#else
#define CHANNELS_UNKNOWN_TO_TSAN
#endif
#if defined(CHANNELS_FIBERS_FOR_ASAN)
#include <sanitizer/common_interface_defs.h>
#endif

#include "channels/gpu/port/emulation/emulated_lane.hpp"

/// Wavefronts of an emulated GPU. A wavefront is a thread of the CPU and its lanes are fibers of
/// that: as threads they would spend their time waking each other at every collective. For
/// ThreadSanitizer a fiber is a thread like any other, so it sees races between lanes, too.

namespace channels::gpu::detail {

/// Wavefronts that share memory.
struct emulated_group {
  explicit emulated_group(unsigned waves = 1, std::size_t bytes = 0)
      : waves_are_there(static_cast<std::ptrdiff_t>(waves)), memory(bytes / 8 + 2) {}

  std::barrier<> waves_are_there;
  std::vector<std::uint64_t> memory;
};

/// The one that the calling thread runs. Atomic, since for ThreadSanitizer a fiber is a thread; and
/// relaxed, since no other thread uses it.
inline thread_local std::atomic<emulated_lane*> running_lane{nullptr};

/// Calls `body()` as work-item `item` of a kernel that has no collectives.
template <class Body>
void as_item(unsigned item, Body body) {
  emulated_lane lane;
  lane.item = item;
  running_lane.store(&lane, std::memory_order_relaxed);
  body();
  running_lane.store(nullptr, std::memory_order_relaxed);
}

/// Other lanes may wait for the one that cannot be made, and nobody could tell them.
[[noreturn]] inline void end_for_lack_of(const char* what) {
  std::fprintf(stderr, "channels: the emulated device has no %s: %s\n", what, std::strerror(errno));
  std::fflush(nullptr);
  std::_Exit(1);
}

/// A stack, with a page below it that faults when it is touched.
class fiber_stack {
 public:
  static constexpr std::size_t bytes = std::size_t{1} << 20U;

  fiber_stack()
      : mapped_(mmap(nullptr, guard + bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    if (mapped_ == MAP_FAILED || mprotect(mapped_, guard, PROT_NONE) != 0)
      end_for_lack_of("memory for the stack of a lane");
  }
  fiber_stack(const fiber_stack&) = delete;
  fiber_stack& operator=(const fiber_stack&) = delete;
  ~fiber_stack() { munmap(mapped_, guard + bytes); }

  [[nodiscard]] std::byte* bottom() const { return static_cast<std::byte*>(mapped_) + guard; }

 private:
  static constexpr std::size_t guard = 4096;
  void* mapped_;
};

/// What runs on a stack of its own, or the thread that runs such.
class fiber {
 public:
  fiber() = default;
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  /// Before the first switch to it, which calls `function()`. That must not return.
  void begin_with(void (*function)(), const fiber_stack& stack) {
    getcontext(&context_);
    context_.uc_stack.ss_sp = stack.bottom();
    context_.uc_stack.ss_size = fiber_stack::bytes;
    context_.uc_link = nullptr;
    makecontext(&context_, function, 0);
#if defined(CHANNELS_FIBERS_FOR_TSAN)
    known_as_ = __tsan_create_fiber(0);
#elif defined(CHANNELS_FIBERS_FOR_ASAN)
    bottom_ = stack.bottom();
    bytes_ = fiber_stack::bytes;
    // The sanitizer's swapcontext would take the shadow memory of a stack that it knows of from the
    // system, and give it back, at each switch.
    context_.uc_stack = {};
#endif
  }
  /// It is not entered any more.
  void end() {
#if defined(CHANNELS_FIBERS_FOR_TSAN)
    __tsan_destroy_fiber(known_as_);
#endif
  }
  /// Makes a fiber of the thread that calls it, before that switches to another fiber.
  void begin_as_thread() {
#if defined(CHANNELS_FIBERS_FOR_TSAN)
    known_as_ = __tsan_get_current_fiber();
#endif
  }

  /// Leaves this one, which runs, for `next`. Returns when a lane switches back to it. That orders
  /// no memory.
  CHANNELS_UNKNOWN_TO_TSAN void switch_to(fiber& next) {
#if defined(CHANNELS_FIBERS_FOR_TSAN)
    __tsan_switch_to_fiber(next.known_as_, __tsan_switch_to_fiber_no_sync);
#elif defined(CHANNELS_FIBERS_FOR_ASAN)
    next.left_ = this;
    __sanitizer_start_switch_fiber(&fake_stack_, next.bottom_, next.bytes_);
#endif
    swapcontext(&context_, &next.context_);
    arrive();
  }
  /// The first that its function calls.
  void arrive() {
#if defined(CHANNELS_FIBERS_FOR_ASAN)
    // Where the thread has its stack is known from when it is left.
    __sanitizer_finish_switch_fiber(fake_stack_, &left_->bottom_, &left_->bytes_);
#endif
  }

 private:
  ucontext_t context_;
#if defined(CHANNELS_FIBERS_FOR_TSAN)
  void* known_as_ = nullptr;
#elif defined(CHANNELS_FIBERS_FOR_ASAN)
  void* fake_stack_ = nullptr;
  const void* bottom_ = nullptr;
  std::size_t bytes_ = 0;
  fiber* left_ = nullptr;
#endif
};

/// Lanes that take turns: one has the thread until it waits for the others, or gives way to them.
class emulated_wave {
 public:
  std::uint64_t values[wave_width] = {};  ///< what the lanes tell each other

  /// Calls `body(number)` in each lane.
  template <class Body>
  void run(Body body) {
    body_ = &body;
    call_ = [](void* b, unsigned number) { (*static_cast<Body*>(b))(number); };
    for (unsigned i = 0; i < wave_width; ++i) {
      lanes_[i].known.wave = this;
      lanes_[i].known.lane = i;
      lanes_[i].has_ended = false;
      lanes_[i].runs.begin_with([] { this_lane().wave->run_lane(); }, lanes_[i].stack);
    }
    thread_.begin_as_thread();
    // The lanes see what the thread has done, by release and acquire, and it what they did.
    begun_.fetch_add(1, std::memory_order_release);
    enter(thread_, 0);
    (void)ended_.load(std::memory_order_acquire);
    for (lane& one : lanes_) one.runs.end();
  }

  // A lane calls these:

  /// Waits for all lanes.
  void meet() {
    // Relaxed: none but the last of a round changes it.
    const unsigned round = round_.load(std::memory_order_relaxed);
    // Acquire and release: what each lane did before, all see after.
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == wave_width) {
      arrived_.store(0, std::memory_order_relaxed);
      round_.store(round + 1, std::memory_order_release);
      return;
    }
    do give_way();
    while (round_.load(std::memory_order_acquire) == round);
  }

  /// Lets the next lane go on.
  CHANNELS_UNKNOWN_TO_TSAN void give_way() {
    const unsigned next = after(current_);
    if (next != current_) enter(lanes_[current_].runs, next);
  }
  /// As `give_way`, between two looks at what another wavefront or the host writes. True once in as
  /// many looks as there are lanes: then all may be waiting, and the thread should rest.
  [[nodiscard]] CHANNELS_UNKNOWN_TO_TSAN bool look_away() {
    give_way();
    return ++looks_ % wave_width == 0;
  }
  /// Likewise, now and then, where the lanes of a GPU may get out of step. True if the wavefront
  /// had better let others go on: a run may be shorter than the time that a thread has a core for.
  [[nodiscard]] CHANNELS_UNKNOWN_TO_TSAN bool stumble() {
    random_ = random_ * 6364136223846793005U + 1442695040888963407U;
    if (random_ >> 60U == 0) give_way();
    return random_ >> 56U == 0;
  }

 private:
  struct lane {
    fiber_stack stack;
    fiber runs;
    emulated_lane known;
    bool has_ended = false;
  };

  /// The next lane in turn that has not ended.
  [[nodiscard]] CHANNELS_UNKNOWN_TO_TSAN unsigned after(unsigned number) const {
    unsigned next = number;
    do next = (next + 1) % wave_width;
    while (lanes_[next].has_ended && next != number);
    return next;
  }
  CHANNELS_UNKNOWN_TO_TSAN void enter(fiber& from, unsigned number) {
    current_ = number;
    running_lane.store(&lanes_[number].known, std::memory_order_relaxed);
    from.switch_to(lanes_[number].runs);
  }
  void run_lane() {
    const unsigned number = this_lane().lane;
    lanes_[number].runs.arrive();
    (void)begun_.load(std::memory_order_acquire);
    call_(body_, number);
    ended_.fetch_add(1, std::memory_order_release);
    leave(number);
  }
  CHANNELS_UNKNOWN_TO_TSAN void leave(unsigned number) {
    lanes_[number].has_ended = true;
    const unsigned next = after(number);
    if (next != number) {
      enter(lanes_[number].runs, next);
    } else {
      running_lane.store(nullptr, std::memory_order_relaxed);
      lanes_[number].runs.switch_to(thread_);
    }
  }

  lane lanes_[wave_width];
  fiber thread_;
  void* body_ = nullptr;
  void (*call_)(void*, unsigned) = nullptr;
  std::atomic<unsigned> begun_{0};
  std::atomic<unsigned> ended_{0};
  std::atomic<unsigned> arrived_{0};
  std::atomic<unsigned> round_{0};
  unsigned current_ = 0;
  unsigned looks_ = 0;
  std::uint64_t random_ = reinterpret_cast<std::uintptr_t>(this);
};

}  // namespace channels::gpu::detail
