#pragma once

#include <sys/mman.h>
#include <ucontext.h>

#include <cerrno>   // errno
#include <cstddef>  // byte, size_t
#include <cstdio>   // fprintf
#include <cstdlib>  // _Exit
#include <cstring>  // strerror

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

/// Code that runs on a stack of its own, in turn with other such, on one thread.
namespace channels::gpu::detail {

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

}  // namespace channels::gpu::detail
