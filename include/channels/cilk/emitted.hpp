#pragma once

#include <channels/cilk/loop_count.hpp>  // trips, nth
#include <channels/cilk/spawn.hpp>       // frame, give, for_each_index

#include <cstddef>      // ptrdiff_t
#include <cstdint>      // uint64_t
#include <exception>    // exception_ptr
#include <type_traits>  // decay_t
#include <utility>      // move, as_const

/// The copy of a function that looks for who is hungry: see cilk_source.h.
#define CHANNELS_CILK_GIVING [[gnu::noinline]]

/// What the C++ that cilk2chan emits uses besides the runtime's interface.
namespace channels::cilk {

/// The type of a variable that is set to an `Expression`.
template <class Expression>
using decayed = std::decay_t<Expression>;

template <class T>
struct itself {
  using type = T;
};

/// An argument as its parameter's type, converted as a call converts it.
template <class T>
T convert(typename itself<T>::type value) {
  return value;
}

/// An object that is about to be moved from, by the name that it has.
template <class T>
T& lvalue(T&& object) {
  return object;
}
template <class T>
T& lvalue(T& object) {
  return object;
}

/// The frame of a block with variables that have destructors. A child may use them, so it is joined
/// before they die, also when an exception unwinds the block. What a child threw is serially
/// earlier than that exception, and takes its place: `left_by_exception`, called when that is
/// caught, throws it.
class guarded_frame : public frame {
 public:
  [[gnu::cold]] void left_by_exception() {
    sync();
    if (kept_) std::rethrow_exception(kept_);
  }
  /// Joins; in an unwinding it keeps what is thrown. Otherwise it does so only `if_left`.
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
    if (__builtin_expect(of_.children != nullptr, 0)) of_.join_before_destructors(true);
  }

 private:
  guarded_frame& of_;
};

/// The same in a block inside of that. Whoever leaves it in the ordinary way has synced, if that is
/// needed.
class unwinding_guard {
 public:
  explicit unwinding_guard(guarded_frame& of) noexcept : of_(of) {}
  unwinding_guard(const unwinding_guard&) = delete;
  unwinding_guard& operator=(const unwinding_guard&) = delete;
  ~unwinding_guard() {
    if (__builtin_expect(of_.children != nullptr, 0)) of_.join_before_destructors(false);
  }

 private:
  guarded_frame& of_;
};

/// Gives a child away that a closure is: its result goes where the closure puts it.
template <class Closure>
[[gnu::cold, gnu::noinline]] void give_child(frame& of, Closure&& child) {
  give(of, discard(), std::forward<Closure>(child));
}

/// `cilk_for`: body(begin, end) for parts of the iterations below `count`, otherwise as
/// for_each_index.
template <class Body>
void for_each_range(std::uint64_t count, std::uint64_t grain, Body&& body) {
  using object = std::remove_reference_t<Body>;
  channels_cilk_for(
      count, grain,
      [](void* closure, std::uint64_t begin, std::uint64_t end) {
        (*static_cast<object*>(closure))(begin, end);
      },
      &body);
}

/// A reducer that lives in a block. It ends before the block does, when all children have ended
/// that may use it.
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
