// More stack for recursions that are deeper than their thread's stack allows.

#include <fmt/format.h>  // format
#include <sys/mman.h>    // mmap
#include <ucontext.h>    // makecontext, swapcontext

#include <algorithm>  // max
#include <cstdint>    // uintptr_t
#include <utility>    // exchange

#include "channels/depth_first.hpp"
#include "channels/error.hpp"
#include "runtime/host_code/worker_pool.hpp"

#if defined(__SANITIZE_THREAD__)  // gcc's word for it
#include <sanitizer/tsan_interface.h>
#define CHANNELS_TSAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/common_interface_defs.h>
#define CHANNELS_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#include <sanitizer/tsan_interface.h>
#define CHANNELS_TSAN 1
#endif
#endif

CHANNELS_CILK_THREAD std::uintptr_t channels::detail::stack_floor = 0;

namespace channels::detail {
namespace {

constexpr std::size_t piece_bytes = std::size_t{16} << 20U;
/// Bytes kept free at the low end of a piece, for leaf functions and the standard library.
constexpr std::size_t reserve_bytes = std::size_t{256} << 10U;

/// Bytes of extra stack that this thread uses now.
thread_local constinit std::size_t bytes_in_use = 0;

/// A piece of stack. Physical memory comes as it is touched.
class stack_piece {
 public:
  explicit stack_piece(std::uint32_t level) {
    const std::size_t most = host_code::worker_pool::instance().more_stack();
    if (bytes_in_use + piece_bytes > std::max(most, piece_bytes)) {
      throw error(
          fmt::format("recursion in depth-first order: level {} needs {} bytes of stack beyond the "
                      "thread's own, "
                      "and may have {}; set CHANNELS_MEMORY to {} or higher",
                      level, bytes_in_use + piece_bytes, std::max(most, piece_bytes),
                      bytes_in_use + piece_bytes));
    }
    memory_ = mmap(nullptr, piece_bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory_ == MAP_FAILED) {
      throw error(fmt::format(
          "recursion in depth-first order: level {} needs {} bytes more for a stack, after {}, and "
          "the system has none",
          level, piece_bytes, bytes_in_use));
    }
    bytes_in_use += piece_bytes;
  }
  stack_piece(const stack_piece&) = delete;
  stack_piece& operator=(const stack_piece&) = delete;
  ~stack_piece() {
    munmap(memory_, piece_bytes);
    bytes_in_use -= piece_bytes;
  }

  [[nodiscard]] void* memory() const { return memory_; }
  [[nodiscard]] std::uintptr_t floor() const {
    return reinterpret_cast<std::uintptr_t>(memory_) + reserve_bytes;
  }

 private:
  void* memory_;
};

/// A call on another stack, and the way back.
struct crossing {
  void (*function)(void*) = nullptr;
  void* argument = nullptr;
  std::exception_ptr thrown;
  ucontext_t here{};
  ucontext_t there{};
#if defined(CHANNELS_ASAN)
  const void* old_bottom = nullptr;
  std::size_t old_bytes = 0;
#endif
#if defined(CHANNELS_TSAN)
  void* old_fiber = nullptr;
#endif
};

/// The call that `cross` makes. `makecontext` passes only ints, so a variable carries it.
thread_local constinit crossing* next_crossing = nullptr;

void cross() {
  crossing& c = *next_crossing;
#if defined(CHANNELS_ASAN)
  __sanitizer_finish_switch_fiber(nullptr, &c.old_bottom, &c.old_bytes);
#endif
  try {
    c.function(c.argument);
  } catch (...) {
    c.thrown = std::current_exception();
  }
#if defined(CHANNELS_ASAN)
  __sanitizer_start_switch_fiber(nullptr, c.old_bottom, c.old_bytes);
#endif
#if defined(CHANNELS_TSAN)
  __tsan_switch_to_fiber(c.old_fiber, 0);
#endif
  setcontext(&c.here);
}

}  // namespace

void find_stack_floor() {
  if (stack_floor != 0) return;
  host_code::worker probe;
  probe.learn_stack();
  // Above this address `worker::has_stack` lets children be given; below it they are plain calls.
  stack_floor = probe.stack_low + (probe.stack_high - probe.stack_low) / 4;
}

void on_more_stack(void (*function)(void*), void* argument, std::uint32_t level) {
  const stack_piece stack(level);
  crossing c;
  c.function = function;
  c.argument = argument;
  getcontext(&c.there);
  c.there.uc_stack.ss_sp = stack.memory();
  c.there.uc_stack.ss_size = piece_bytes;
  c.there.uc_link = nullptr;
  makecontext(&c.there, cross, 0);
  const std::uintptr_t floor = std::exchange(stack_floor, stack.floor());
  // Nothing is given from this stack (`worker::has_stack`), so its spawns need not ask. Relaxed:
  // see channels_cilk_limit.
  __atomic_store_n(&channels_cilk_limit, UINTPTR_MAX, __ATOMIC_RELAXED);
  next_crossing = &c;
#if defined(CHANNELS_ASAN)
  void* fake_stack = nullptr;
  __sanitizer_start_switch_fiber(&fake_stack, stack.memory(), piece_bytes);
#endif
#if defined(CHANNELS_TSAN)
  c.old_fiber = __tsan_get_current_fiber();
  void* const fiber = __tsan_create_fiber(0);
  __tsan_switch_to_fiber(fiber, 0);
#endif
  swapcontext(&c.here, &c.there);
#if defined(CHANNELS_ASAN)
  __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
#endif
#if defined(CHANNELS_TSAN)
  __tsan_destroy_fiber(fiber);
#endif
  next_crossing = nullptr;
  stack_floor = floor;
  if (c.thrown) std::rethrow_exception(c.thrown);
}

}  // namespace channels::detail
