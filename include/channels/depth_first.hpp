#pragma once

#include "channels/config.hpp"  // CHANNELS_CXX20
#if CHANNELS_CXX20

#include <cstddef>      // byte
#include <exception>    // exception_ptr
#include <type_traits>  // is_void_v

#include "channels/cilk/abi.h"
#include "channels/detail/lane_base.hpp"
#include "channels/task_traits.hpp"

// Clang 14 does not know it for statements, and Clang 15 crashes.
#if defined(__clang__) && __clang_major__ >= 16
#define CHANNELS_INLINE_CALL [[clang::always_inline]]
#else
#define CHANNELS_INLINE_CALL
#endif

/// Tasks in depth-first order on the host: a child runs at once, on the stack of the thread that
/// spawns it, as the serial program would. Whatever the depth, few frames are alive, none of them
/// in a channel, and a spawn costs little more than a call. Other workers of the process
/// (`CHANNELS_CUS`) get children when they are hungry: a spawn looks whether one is (cilk/abi.h),
/// and the frames nearest to the root, which have the largest children, give theirs away.
///
/// Where the thread's stack ends, the recursion continues on memory of its own, up to
/// `settings::memory` for each thread. So depth is limited by memory alone.
namespace channels {

namespace detail {

/// Runs `function(argument)`, the recursion's `level`, on a new piece of stack, and throws what it
/// throws. Throws `channels::error` if this thread already has `settings::memory` bytes of such
/// pieces, or if the host has no more.
CHANNELS_COLD void on_more_stack(void (*function)(void*), void* argument, std::uint32_t level);

/// Tasks do not use the stack below this address: the rest is for other functions that they call.
extern CHANNELS_CILK_THREAD std::uintptr_t stack_floor;

/// Finds out where this thread's stack ends.
CHANNELS_COLD void find_stack_floor();

/// The memory that a task allocates besides its frame. It goes back when the task finishes.
class heap_blocks {
 public:
  heap_blocks() = default;
  heap_blocks(const heap_blocks&) = delete;
  heap_blocks& operator=(const heap_blocks&) = delete;
  ~heap_blocks();
  /// See `allocate` of lanes. Throws `channels::error` if the host has no more.
  [[nodiscard]] CHANNELS_COLD void* allocate(std::size_t bytes);

 private:
  struct alignas(16) block {
    block* next;
  };
  block* first_ = nullptr;
};

/// Stands for a result of type void.
struct nothing {};

template <task Task>
using value_of = std::conditional_t<std::is_void_v<typename Task::result_type>, nothing,
                                    typename Task::result_type>;

template <task Task>
value_of<Task> run_depth_first(typename Task::arguments arguments, std::uint32_t level);

/// The lane of a task in depth-first order. There is always room; a sync joins what was given away.
template <task Task>
class depth_first_lane : public lane_base_with_point<depth_first_lane<Task>, Task> {
  using base = lane_base_with_point<depth_first_lane<Task>, Task>;
  friend lane_base<depth_first_lane<Task>, Task>;

 public:
  using typename base::frame_type;
  using typename base::result_type;

  explicit CHANNELS_INLINE depth_first_lane(std::uint32_t level) : level_(level) {}
  depth_first_lane(const depth_first_lane&) = delete;
  depth_first_lane& operator=(const depth_first_lane&) = delete;
  // After an exception only: given children have to end before the frame does.
  CHANNELS_INLINE ~depth_first_lane() {
    if (gifts_.children != nullptr) [[unlikely]]
      channels_cilk_join(&gifts_);
  }

  template <class... Children, class... Counts>
  [[nodiscard]] CHANNELS_INLINE frame_type* open(Counts...) {
    return reinterpret_cast<frame_type*>(frame_);
  }
  template <class... Children, class... Counts>
  [[nodiscard]] CHANNELS_INLINE bool reserve(Counts...) {
    return true;
  }
  [[nodiscard]] CHANNELS_INLINE void* allocate(std::size_t bytes) {
    static_assert(task_traits<Task>::allocates, "a task that allocates says so: allocates = true");
    return memory_.allocate(bytes);
  }

  // There is always room, so a task never returns `yield` or `retry`.
  [[nodiscard]] CHANNELS_INLINE outcome sync(std::uint32_t point) {
    channels_cilk_sync(&gifts_);
    return base::sync(point);
  }
  [[nodiscard]] CHANNELS_INLINE std::uint32_t level() const { return level_; }

  // For run_depth_first.

  [[nodiscard]] CHANNELS_INLINE frame_type& frame() {
    return *reinterpret_cast<frame_type*>(frame_);
  }
  [[nodiscard]] CHANNELS_INLINE std::uint32_t point() const { return this->point_; }
  [[nodiscard]] CHANNELS_INLINE value_of<Task> result() const { return result_; }

 private:
  template <class Child>
  struct gift {
    typename Child::result_type* slot;
    typename Child::arguments arguments;
    std::uint32_t level;

    static void run(void* closure) {
      find_stack_floor();
      const auto& g = *static_cast<const gift*>(closure);
      if constexpr (std::is_void_v<typename Child::result_type>) {
        (void)run_depth_first<Child>(g.arguments, g.level);
      } else {
        *g.slot = run_depth_first<Child>(g.arguments, g.level);
      }
    }
  };

  template <class Value>
  CHANNELS_INLINE void put_result(const Value& value) {
    result_ = value;
  }
  template <task Child>
  [[nodiscard]] CHANNELS_INLINE bool add_child([[maybe_unused]] typename Child::result_type* slot,
                                               const typename Child::arguments& arguments) {
    if (channels_cilk_hungry(&gifts_)) [[unlikely]] {
      give<Child>(gifts_, {slot, arguments, level_ + 1});
    } else if constexpr (std::is_void_v<typename Child::result_type>) {
      (void)run_depth_first<Child>(arguments, level_ + 1);
    } else {
      *slot = run_depth_first<Child>(arguments, level_ + 1);
    }
    return true;
  }

  // It is static: the address of a lane would keep the lane out of registers.
  template <class Child>
  CHANNELS_COLD static void give(channels_cilk_frame& gifts, gift<Child> g) {
    channels_cilk_give(&gifts, &gift<Child>::run, nullptr, &g, sizeof g);
  }

  std::uint32_t level_;
  [[no_unique_address]] std::conditional_t<task_traits<Task>::allocates, heap_blocks, nothing>
      memory_{};
  value_of<Task> result_;
  channels_cilk_frame gifts_{nullptr};
  alignas(frame_type) std::byte frame_[sizeof(frame_type)];  // uninitialised, as tasks expect it
};

template <task Task>
CHANNELS_INLINE value_of<Task> run_here(const typename Task::arguments& arguments,
                                        std::uint32_t level) {
  depth_first_lane<Task> lane(level);
  outcome o{};
  CHANNELS_INLINE_CALL o = Task::enter(lane, arguments);
  while (o == outcome::suspended) {
    CHANNELS_INLINE_CALL o = Task::resume(lane, lane.frame(), lane.point());
  }
  CHANNELS_CHECK(o == outcome::finished);
  return lane.result();
}

template <task Task>
CHANNELS_COLD value_of<Task> run_on_more_stack(const typename Task::arguments& arguments,
                                               std::uint32_t level) {
  struct call {
    const typename Task::arguments& arguments;
    std::uint32_t level;
    value_of<Task> result;
  } c{arguments, level, {}};
  on_more_stack(
      [](void* argument) {
        auto& there = *static_cast<call*>(argument);
        there.result = run_here<Task>(there.arguments, there.level);
      },
      &c, level);
  return c.result;
}

// One function for each task. Its nodes are inlined into it, so that the lane is in registers; and
// the task is not inlined into itself.
template <task Task>
__attribute__((noinline)) value_of<Task> run_depth_first(typename Task::arguments arguments,
                                                         std::uint32_t level) {
  if (reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) < stack_floor) [[unlikely]] {
    return run_on_more_stack<Task>(arguments, level);
  }
  return run_here<Task>(arguments, level);
}

}  // namespace detail

/// Runs `Task` with `arguments` in depth-first order and returns its result. The workers are those
/// of the process (`cilk::use`, or the `CHANNELS_*` variables), not those of a runtime. Throws
/// `channels::error` if the recursion needs more stack than `settings::memory` bytes.
template <task Task>
typename Task::result_type call_depth_first(const typename Task::arguments& arguments) {
  detail::find_stack_floor();
  auto result = detail::run_depth_first<Task>(arguments, 0);
  if constexpr (!std::is_void_v<typename Task::result_type>) return result;
}

}  // namespace channels

#endif
