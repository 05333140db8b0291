#pragma once

#include <cstdint>      // uintptr_t
#include <type_traits>  // is_floating_point_v, is_integral_v, is_pointer_v, make_unsigned_t

#include "channels/config.hpp"

namespace channels::cilk {

/// The place of an atomic variable, with the operations of std::atomic. `Order` is the type of
/// orders, whose numbers are the compiler's. One lane calls them; they order memory for all
/// processors, as strongly as their order says. A unit includes this behind all other headers:
/// for nvcc the compiler's operations are macros (gpu/compiled_program/atomics.hpp).
template <class T, class Order>
class atomic_place {
 public:
  static constexpr Order sequential = static_cast<Order>(__ATOMIC_SEQ_CST);

  explicit CHANNELS_DEVICE atomic_place(T* at) : at_(at) {}

  CHANNELS_DEVICE T load(Order order = sequential) const {
    T value;
    __atomic_load(at_, &value, static_cast<int>(order));
    return value;
  }
  CHANNELS_DEVICE void store(T value, Order order = sequential) const {
    __atomic_store(at_, &value, static_cast<int>(order));
  }
  CHANNELS_DEVICE T exchange(T value, Order order = sequential) const {
    T before;
    __atomic_exchange(at_, &value, &before, static_cast<int>(order));
    return before;
  }
  CHANNELS_DEVICE bool compare_exchange_strong(T& expected, T value, Order success,
                                               Order failure) const {
    return __atomic_compare_exchange(at_, &expected, &value, false, static_cast<int>(success),
                                     static_cast<int>(failure));
  }
  CHANNELS_DEVICE bool compare_exchange_strong(T& expected, T value,
                                               Order order = sequential) const {
    return compare_exchange_strong(expected, value, order, on_failure(order));
  }
  template <class... Orders>
  CHANNELS_DEVICE bool compare_exchange_weak(T& expected, T value, Orders... orders) const {
    return compare_exchange_strong(expected, value, orders...);
  }
  CHANNELS_DEVICE bool is_lock_free() const { return true; }

  // NOLINTNEXTLINE(google-explicit-constructor): as that of std::atomic
  CHANNELS_DEVICE operator T() const { return load(); }
  CHANNELS_DEVICE T operator=(T value) const {
    store(value);
    return value;
  }

  /// Makes the value what `next` makes of it. Returns the one before, and sets `after`.
  template <class Next>
  CHANNELS_DEVICE T change(T& after, Next next, Order order = sequential) const {
    T seen = load(static_cast<Order>(__ATOMIC_RELAXED));
    do {
      after = next(seen);
    } while (!compare_exchange_strong(seen, after, order));
    return seen;
  }

  /// By a number; by so many elements where the value is a pointer.
  template <class By>
  CHANNELS_DEVICE T fetch_add(By by, Order order = sequential) const {
    if constexpr (std::is_pointer_v<T>) {
      return reinterpret_cast<T>(__atomic_fetch_add(
          number(), static_cast<std::uintptr_t>(by) * sizeof(*T{}), static_cast<int>(order)));
    } else if constexpr (std::is_floating_point_v<T>) {
      T after;
      return change(after, [=](T was) { return was + static_cast<T>(by); }, order);
    } else {
      return __atomic_fetch_add(at_, static_cast<T>(by), static_cast<int>(order));
    }
  }
  template <class By>
  CHANNELS_DEVICE T fetch_sub(By by, Order order = sequential) const {
    if constexpr (std::is_pointer_v<T>) {
      return reinterpret_cast<T>(__atomic_fetch_sub(
          number(), static_cast<std::uintptr_t>(by) * sizeof(*T{}), static_cast<int>(order)));
    } else if constexpr (std::is_floating_point_v<T>) {
      return fetch_add(-static_cast<T>(by), order);
    } else {
      return __atomic_fetch_sub(at_, static_cast<T>(by), static_cast<int>(order));
    }
  }
  CHANNELS_DEVICE T fetch_and(T by, Order order = sequential) const {
    return __atomic_fetch_and(at_, by, static_cast<int>(order));
  }
  CHANNELS_DEVICE T fetch_or(T by, Order order = sequential) const {
    return __atomic_fetch_or(at_, by, static_cast<int>(order));
  }
  CHANNELS_DEVICE T fetch_xor(T by, Order order = sequential) const {
    return __atomic_fetch_xor(at_, by, static_cast<int>(order));
  }

  CHANNELS_DEVICE T operator++() const { return *this += 1; }
  CHANNELS_DEVICE T operator--() const { return *this -= 1; }
  CHANNELS_DEVICE T operator++(int) const { return fetch_add(1); }
  CHANNELS_DEVICE T operator--(int) const { return fetch_sub(1); }
  template <class By>
  CHANNELS_DEVICE T operator+=(By by) const {
    const T before = fetch_add(by);
    if constexpr (std::is_integral_v<T>)
      return sum(before, static_cast<T>(by));
    else
      return before + by;
  }
  template <class By>
  CHANNELS_DEVICE T operator-=(By by) const {
    const T before = fetch_sub(by);
    if constexpr (std::is_integral_v<T>)
      return sum(before, static_cast<T>(0U - static_cast<std::make_unsigned_t<T>>(by)));
    else
      return before - by;
  }
  CHANNELS_DEVICE T operator&=(T by) const { return static_cast<T>(fetch_and(by) & by); }
  CHANNELS_DEVICE T operator|=(T by) const { return static_cast<T>(fetch_or(by) | by); }
  CHANNELS_DEVICE T operator^=(T by) const { return static_cast<T>(fetch_xor(by) ^ by); }

 private:
  // Atomic sums wrap around.
  static CHANNELS_DEVICE T sum(T a, T b) {
    using bits = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<bits>(static_cast<bits>(a) + static_cast<bits>(b)));
  }
  static CHANNELS_DEVICE Order on_failure(Order order) {
    const int number = static_cast<int>(order);
    return static_cast<Order>(number == __ATOMIC_ACQ_REL   ? __ATOMIC_ACQUIRE
                              : number == __ATOMIC_RELEASE ? __ATOMIC_RELAXED
                                                           : number);
  }
  CHANNELS_DEVICE auto* number() const {
    using word [[gnu::may_alias]] = std::uintptr_t;
    return reinterpret_cast<word*>(at_);
  }

  T* at_;
};

}  // namespace channels::cilk
