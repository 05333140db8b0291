#pragma once

#include <channels/cilk/loop_count.hpp>  // trips, nth
#include <channels/cilk/spawn.hpp>       // frame, give, for_each_index
#include <channels/cilk/travelling.hpp>  // give_travelling

#include <cstddef>      // ptrdiff_t
#include <cstdint>      // uint64_t
#include <exception>    // exception_ptr
#include <type_traits>  // decay_t
#include <utility>      // move, as_const

/// The version of a function that checks for hungry workers: see emitted.h.
#define CHANNELS_CILK_GIVING [[gnu::noinline]]

/// What C++ code that cilk2chan emits uses besides spawn.hpp.
namespace channels::cilk {

/// The type of an `auto` variable that is initialised with an `Expression`.
template <class Expression>
using decayed = std::decay_t<Expression>;

template <class T>
struct itself {
  using type = T;
};

/// Converts an argument to its parameter's type, as a call does.
template <class T>
T convert(typename itself<T>::type value) {
  return value;
}

/// An lvalue for an object that is about to be moved from.
template <class T>
T& lvalue(T&& object) {
  return object;
}
template <class T>
T& lvalue(T& object) {
  return object;
}

/// The frame of a block with variables that have destructors. Children may use the variables, so
/// they are joined before the destructors run, also when an exception unwinds the block. An
/// exception of a child is serially earlier and replaces the one that unwinds: `left_by_exception`,
/// which the handler calls, throws it.
class guarded_frame : public frame {
 public:
  [[gnu::cold]] void left_by_exception() {
    sync();
    if (kept_) std::rethrow_exception(kept_);
  }
  /// Joins. During an unwinding it keeps an exception of the children; outside of one it joins only
  /// `if_left`.
  [[gnu::cold, gnu::noinline]] void join_before_destructors(bool if_left);

 private:
  std::exception_ptr kept_;
};

/// Stands behind a variable with a destructor, in the frame's own block.
class exit_guard {
 public:
  explicit exit_guard(guarded_frame& of) noexcept : of_(of) {}
  exit_guard(const exit_guard&) = delete;
  exit_guard& operator=(const exit_guard&) = delete;
  ~exit_guard() noexcept(false) {
#if defined(CHANNELS_CILK_RACES)
    of_.sync();
#else
    if (__builtin_expect(of_.children != nullptr, 0)) of_.join_before_destructors(true);
#endif
  }

 private:
  guarded_frame& of_;
};

/// The same in an inner block. It joins during an unwinding, and when a return leaves the block,
/// which says so before.
class inner_guard {
 public:
  explicit inner_guard(guarded_frame& of) noexcept : of_(of) {}
  inner_guard(const inner_guard&) = delete;
  inner_guard& operator=(const inner_guard&) = delete;
  ~inner_guard() noexcept(false) {
#if defined(CHANNELS_CILK_RACES)  // there a child's exception arrives at its spawn
    if (joins_) of_.sync();
#else
    if (__builtin_expect(of_.children != nullptr, 0)) of_.join_before_destructors(joins_);
#endif
  }
  void joins() noexcept { joins_ = true; }

 private:
  guarded_frame& of_;
  bool joins_ = false;
};

/// `give_and_finish` whose arguments stand in braces, so that they are evaluated in their order: in
/// `place += call(arguments)` the arguments come before the place, since C++17.
struct give_finished {
  template <class Call, class Finish>
  CHANNELS_CILK_AT_SITE give_finished(frame& of, Call&& call, Finish&& finish) {
    give_and_finish(of, std::forward<Finish>(finish), std::forward<Call>(call));
  }
};

/// Gives away the child `child()`. The closure stores its result itself.
template <class Closure>
CHANNELS_CILK_COLD void give_child(frame& of, Closure&& child) {
#if defined(CHANNELS_CILK_RACES)
  using object = std::decay_t<Closure>;
  // A copy on this stack, which the child ends: what is freed with it is the child's.
  alignas(object) std::byte memory[sizeof(object)];
  auto* const own = ::new (static_cast<void*>(memory)) object(std::forward<Closure>(child));
  channels_races_child(
      &of,
      [](void* closure) {
        struct ended {
          object* what;
          ~ended() { what->~object(); }
        } const call{static_cast<object*>(closure)};
        (*call.what)();
      },
      nullptr, own, sizeof(object), __builtin_return_address(0));
#else
  give(of, discard(), std::forward<Closure>(child));
#endif
}

/// `cilk_for`: body(begin, end) for parts of the iterations below `count`, otherwise as
/// for_each_index.
template <class Body>
CHANNELS_CILK_AT_SITE void for_each_range(std::uint64_t count, std::uint64_t grain, Body&& body) {
  using object = std::remove_reference_t<Body>;
  channels_cilk_for(
      count, grain,
      [](void* closure, std::uint64_t begin, std::uint64_t end) {
        (*static_cast<object*>(closure))(begin, end);
      },
      &body);
}

/// A reducer that is a local variable. It ends before its block does, after all children that may
/// use it.
class local_reducer {
 public:
  template <class T>
  local_reducer(T& leftmost, frame* children, void (*identity)(void*), void (*reduce)(void*, void*))
      : leftmost_(&leftmost), children_(children) {
    channels_cilk_reducer_begin(leftmost_, sizeof leftmost, identity, reduce);
  }
  local_reducer(const local_reducer&) = delete;
  local_reducer& operator=(const local_reducer&) = delete;
  ~local_reducer() noexcept(false) {
    const ended after{leftmost_};
    if (children_ != nullptr) channels_cilk_sync(children_);
  }

 private:
  struct ended {
    void* leftmost;
    ~ended() { channels_cilk_reducer_end(leftmost); }
  };

  void* leftmost_;
  frame* children_;
};

}  // namespace channels::cilk
