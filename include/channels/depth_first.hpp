#pragma once

#include <cstddef>      // byte
#include <exception>    // exception_ptr
#include <type_traits>  // is_void_v

#include "channels/cilk/abi.h"
#include "channels/task_traits.hpp"

#if defined(__clang__)
#define CHANNELS_INLINE_CALL [[clang::always_inline]]
#else
#define CHANNELS_INLINE_CALL
#endif

/// Tasks in depth-first order on the host: a child runs at once, on the stack of the thread that
/// spawns it, as the serial program would. Whatever the depth, few frames are alive, none of them
/// in a channel, and a spawn costs little more than a call. Other workers of the process
/// (`CHANNELS_CUS`) get children when they are hungry: a spawn looks whether one is (cilk_abi.h),
/// and the frames nearest to the root, which have the largest children, give theirs away.
///
/// Where the stack of the thread ends, the recursion goes on on memory of its own, up to
/// `settings::memory` for each thread: depth is limited by memory alone.
namespace channels {

namespace detail {

/// Runs `function(argument)` on a new piece of stack. What it throws comes out here. Throws
/// `channels::error` if this thread has had `settings::memory` bytes of it, or there is none.
CHANNELS_COLD void on_more_stack(void (*function)(void*), void* argument);

/// Below this address, what is left of the stack is kept for what is not a task.
extern CHANNELS_CILK_THREAD std::uintptr_t stack_floor;

/// Finds out where this thread's stack ends.
CHANNELS_COLD void find_stack_floor();

/// What a task allocates besides its frame, until it finishes. Throws `channels::error` if the host
/// has no more.
class heap_blocks {
 public:
  heap_blocks() = default;
  heap_blocks(const heap_blocks&) = delete;
  heap_blocks& operator=(const heap_blocks&) = delete;
  ~heap_blocks();
  [[nodiscard]] CHANNELS_COLD void* allocate(std::size_t bytes);

 private:
  struct alignas(16) block {
    block* next;
  };
  block* first_ = nullptr;
};

/// What stands for a result of type void.
struct nothing {};

template <task Task>
using value_of = std::conditional_t<std::is_void_v<typename Task::result_type>, nothing,
                                    typename Task::result_type>;

template <task Task>
value_of<Task> run_depth_first(typename Task::arguments arguments, std::uint32_t level);

/// The lane of a task in depth-first order. There is always room; a sync joins what was given away.
template <task Task>
class depth_first_lane {
 public:
  using frame_type = typename Task::frame;
  using result_type = typename Task::result_type;

  explicit CHANNELS_INLINE depth_first_lane(std::uint32_t level) : level_(level) {}
  depth_first_lane(const depth_first_lane&) = delete;
  depth_first_lane& operator=(const depth_first_lane&) = delete;
  // Only after something was thrown: what was given away has to end before its frame does.
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
  template <task Child>
  [[nodiscard]] CHANNELS_INLINE bool spawn(typename Child::result_type* slot,
                                           const typename Child::arguments& arguments)
    requires(!std::is_void_v<typename Child::result_type>)
  {
    if (channels_cilk_hungry(&gifts_)) [[unlikely]] {
      give<Child>(gifts_, {slot, arguments, level_ + 1});
    } else {
      *slot = run_depth_first<Child>(arguments, level_ + 1);
    }
    return true;
  }
  template <task Child>
  [[nodiscard]] CHANNELS_INLINE bool spawn(const typename Child::arguments& arguments)
    requires(std::is_void_v<typename Child::result_type>)
  {
    if (channels_cilk_hungry(&gifts_)) [[unlikely]] {
      give<Child>(gifts_, {nullptr, arguments, level_ + 1});
    } else {
      (void)run_depth_first<Child>(arguments, level_ + 1);
    }
    return true;
  }

  [[nodiscard]] CHANNELS_INLINE void* allocate(std::size_t bytes) {
    static_assert(task_traits<Task>::allocates, "a task that allocates says so: allocates = true");
    return memory_.allocate(bytes);
  }

  template <class Value>
  [[nodiscard]] CHANNELS_INLINE outcome finish(const Value& value) {
    result_ = value;
    return outcome::finished;
  }
  [[nodiscard]] CHANNELS_INLINE outcome finish() { return outcome::finished; }
  [[nodiscard]] CHANNELS_INLINE outcome sync(std::uint32_t point) {
    channels_cilk_sync(&gifts_);
    point_ = point;
    return outcome::suspended;
  }
  /// Not called: nothing here is without room. But a task's code mentions them.
  [[nodiscard]] CHANNELS_INLINE outcome yield(std::uint32_t point) {
    point_ = point;
    return outcome::yielded;
  }
  [[nodiscard]] CHANNELS_INLINE outcome retry() { return outcome::retry; }
  [[nodiscard]] CHANNELS_INLINE std::uint32_t level() const { return level_; }

  // For run_depth_first.

  [[nodiscard]] CHANNELS_INLINE frame_type& frame() {
    return *reinterpret_cast<frame_type*>(frame_);
  }
  [[nodiscard]] CHANNELS_INLINE std::uint32_t point() const { return point_; }
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

  // Not a member of this lane: its address would keep the lane out of registers.
  template <class Child>
  CHANNELS_COLD static void give(channels_cilk_frame& gifts, gift<Child> g) {
    channels_cilk_give(&gifts, &gift<Child>::run, nullptr, &g, sizeof g);
  }

  std::uint32_t level_;
  std::uint32_t point_ = 0;
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
      &c);
  return c.result;
}

// One function for each task, into which its nodes are inlined, so that the lane lives in
// registers; and the task is not inlined into itself instead.
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
