#pragma once

/// C's <stdatomic.h> for a C program that is compiled as C++ for a device, where atomic variables
/// are C++'s and have no code for devices. A unit includes it behind all other headers.

#include <cstddef>      // ptrdiff_t, size_t
#include <cstdint>      // fixed-width integers
#include <type_traits>  // is_integral_v, is_same_v, type_identity_t

#include "channels/cilk/atomic_place.hpp"
#include "channels/config.hpp"

// The program includes <stdatomic.h> once more.
#define __CLANG_STDATOMIC_H
#define _STDATOMIC_H
#define _GLIBCXX_STDATOMIC_H 1

namespace channels::cilk {

/// An atomic variable of C: a value of `T`, at its place and of its size. Operators are
/// sequentially consistent, as in C.
template <class T>
struct c_atomic {
  T value;

  c_atomic() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): as C's initialisation
  CHANNELS_DEVICE constexpr c_atomic(T first) : value(first) {}
  c_atomic(const c_atomic&) = delete;
  CHANNELS_DEVICE T operator=(const c_atomic& other) { return *this = static_cast<T>(other); }
  CHANNELS_DEVICE T operator=(T now) {
    __atomic_store_n(&value, now, __ATOMIC_SEQ_CST);
    return now;
  }
  // NOLINTNEXTLINE(google-explicit-constructor): as in C
  CHANNELS_DEVICE operator T() const { return __atomic_load_n(&value, __ATOMIC_SEQ_CST); }

  CHANNELS_DEVICE T operator++() { return *this += 1; }
  CHANNELS_DEVICE T operator--() { return *this -= 1; }
  CHANNELS_DEVICE T operator++(int) { return step(1); }
  CHANNELS_DEVICE T operator--(int) { return step(-1); }

  /// As C has it: `value = (T)(value + by)`.
#define CHANNELS_C_ATOMIC(OPERATION)                                                \
  template <class By>                                                               \
  CHANNELS_DEVICE T operator OPERATION##=(By by) {                                  \
    T after;                                                                        \
    place().change(after, [=](T was) { return static_cast<T>(was OPERATION by); }); \
    return after;                                                                   \
  }
  CHANNELS_C_ATOMIC(*)
  CHANNELS_C_ATOMIC(/)
  CHANNELS_C_ATOMIC(%)
  CHANNELS_C_ATOMIC(<<)
  CHANNELS_C_ATOMIC(>>)
#undef CHANNELS_C_ATOMIC
  // One operation where all are whole numbers.
#define CHANNELS_C_ATOMIC(OPERATION, NAME)                                            \
  template <class By>                                                                 \
  CHANNELS_DEVICE T operator OPERATION##=(By by) {                                    \
    if constexpr (are_whole<By>) {                                                    \
      return __atomic_##NAME##_fetch(&value, static_cast<T>(by), __ATOMIC_SEQ_CST);   \
    } else {                                                                          \
      T after;                                                                        \
      place().change(after, [=](T was) { return static_cast<T>(was OPERATION by); }); \
      return after;                                                                   \
    }                                                                                 \
  }
  CHANNELS_C_ATOMIC(+, add)
  CHANNELS_C_ATOMIC(-, sub)
  CHANNELS_C_ATOMIC(&, and)
  CHANNELS_C_ATOMIC(|, or)
  CHANNELS_C_ATOMIC(^, xor)
#undef CHANNELS_C_ATOMIC

 private:
  template <class By>
  static constexpr bool are_whole =
      std::is_integral_v<T> && !std::is_same_v<T, bool> && std::is_integral_v<By>;
  CHANNELS_DEVICE auto place() { return atomic_place<T, int>(&value); }
  CHANNELS_DEVICE T step(int by) {
    if constexpr (are_whole<int>)
      return __atomic_fetch_add(&value, static_cast<T>(by), __ATOMIC_SEQ_CST);
    T after;
    return place().change(after, [=](T was) { return static_cast<T>(was + by); });
  }
};

/// The functions of <stdatomic.h>: `T` is that of the variable.
#define CHANNELS_C_ATOMIC(NAME)                                                                 \
  template <class T>                                                                            \
  CHANNELS_DEVICE T atomic_fetch_##NAME##_explicit(volatile c_atomic<T>* at,                    \
                                                   std::type_identity_t<T> by, int order) {     \
    return __atomic_fetch_##NAME(&const_cast<c_atomic<T>*>(at)->value, by, order);              \
  }                                                                                             \
  template <class T>                                                                            \
  CHANNELS_DEVICE T atomic_fetch_##NAME(volatile c_atomic<T>* at, std::type_identity_t<T> by) { \
    return __atomic_fetch_##NAME(&const_cast<c_atomic<T>*>(at)->value, by, __ATOMIC_SEQ_CST);   \
  }
CHANNELS_C_ATOMIC(add)
CHANNELS_C_ATOMIC(sub)
CHANNELS_C_ATOMIC(and)
CHANNELS_C_ATOMIC(or)
CHANNELS_C_ATOMIC(xor)
#undef CHANNELS_C_ATOMIC

/// Of a pointer: by elements.
template <class T>
CHANNELS_DEVICE T* atomic_fetch_add_explicit(volatile c_atomic<T*>* at, std::ptrdiff_t by,
                                             int order) {
  return atomic_place<T*, int>(&const_cast<c_atomic<T*>*>(at)->value).fetch_add(by, order);
}
template <class T>
CHANNELS_DEVICE T* atomic_fetch_sub_explicit(volatile c_atomic<T*>* at, std::ptrdiff_t by,
                                             int order) {
  return atomic_place<T*, int>(&const_cast<c_atomic<T*>*>(at)->value).fetch_sub(by, order);
}
template <class T>
CHANNELS_DEVICE T* atomic_fetch_add(volatile c_atomic<T*>* at, std::ptrdiff_t by) {
  return atomic_fetch_add_explicit(at, by, __ATOMIC_SEQ_CST);
}
template <class T>
CHANNELS_DEVICE T* atomic_fetch_sub(volatile c_atomic<T*>* at, std::ptrdiff_t by) {
  return atomic_fetch_sub_explicit(at, by, __ATOMIC_SEQ_CST);
}

template <class T>
CHANNELS_DEVICE T* place_of(const volatile c_atomic<T>* at) {
  return &const_cast<c_atomic<T>*>(at)->value;
}
template <class T>
CHANNELS_DEVICE T atomic_load_explicit(const volatile c_atomic<T>* at, int order) {
  return __atomic_load_n(place_of(at), order);
}
template <class T>
CHANNELS_DEVICE T atomic_load(const volatile c_atomic<T>* at) {
  return __atomic_load_n(place_of(at), __ATOMIC_SEQ_CST);
}
template <class T>
CHANNELS_DEVICE void atomic_store_explicit(volatile c_atomic<T>* at, std::type_identity_t<T> now,
                                           int order) {
  __atomic_store_n(place_of(at), now, order);
}
template <class T>
CHANNELS_DEVICE void atomic_store(volatile c_atomic<T>* at, std::type_identity_t<T> now) {
  __atomic_store_n(place_of(at), now, __ATOMIC_SEQ_CST);
}
template <class T>
CHANNELS_DEVICE void atomic_init(volatile c_atomic<T>* at, std::type_identity_t<T> first) {
  *place_of(at) = first;
}
template <class T>
CHANNELS_DEVICE T atomic_exchange_explicit(volatile c_atomic<T>* at, std::type_identity_t<T> now,
                                           int order) {
  return __atomic_exchange_n(place_of(at), now, order);
}
template <class T>
CHANNELS_DEVICE T atomic_exchange(volatile c_atomic<T>* at, std::type_identity_t<T> now) {
  return __atomic_exchange_n(place_of(at), now, __ATOMIC_SEQ_CST);
}
template <class T>
CHANNELS_DEVICE bool atomic_compare_exchange_strong_explicit(volatile c_atomic<T>* at,
                                                             std::type_identity_t<T>* expected,
                                                             std::type_identity_t<T> now,
                                                             int success, int failure) {
  return __atomic_compare_exchange_n(place_of(at), expected, now, false, success, failure);
}
template <class T>
CHANNELS_DEVICE bool atomic_compare_exchange_strong(volatile c_atomic<T>* at,
                                                    std::type_identity_t<T>* expected,
                                                    std::type_identity_t<T> now) {
  return __atomic_compare_exchange_n(place_of(at), expected, now, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST);
}
template <class T>
CHANNELS_DEVICE bool atomic_compare_exchange_weak_explicit(volatile c_atomic<T>* at,
                                                           std::type_identity_t<T>* expected,
                                                           std::type_identity_t<T> now, int success,
                                                           int failure) {
  return atomic_compare_exchange_strong_explicit(at, expected, now, success, failure);
}
template <class T>
CHANNELS_DEVICE bool atomic_compare_exchange_weak(volatile c_atomic<T>* at,
                                                  std::type_identity_t<T>* expected,
                                                  std::type_identity_t<T> now) {
  return atomic_compare_exchange_strong(at, expected, now);
}

}  // namespace channels::cilk

#define _Atomic(...) ::channels::cilk::c_atomic<__VA_ARGS__>
#define ATOMIC_VAR_INIT(first) (first)
// What Clang's <stdatomic.h> makes of the functions, and plain forms have.
#define __c11_atomic_init ::channels::cilk::atomic_init
#define __c11_atomic_load ::channels::cilk::atomic_load_explicit
#define __c11_atomic_store ::channels::cilk::atomic_store_explicit
#define __c11_atomic_exchange ::channels::cilk::atomic_exchange_explicit
#define __c11_atomic_compare_exchange_strong \
  ::channels::cilk::atomic_compare_exchange_strong_explicit
#define __c11_atomic_compare_exchange_weak ::channels::cilk::atomic_compare_exchange_weak_explicit
#define __c11_atomic_fetch_add ::channels::cilk::atomic_fetch_add_explicit
#define __c11_atomic_fetch_sub ::channels::cilk::atomic_fetch_sub_explicit
#define __c11_atomic_fetch_and ::channels::cilk::atomic_fetch_and_explicit
#define __c11_atomic_fetch_or ::channels::cilk::atomic_fetch_or_explicit
#define __c11_atomic_fetch_xor ::channels::cilk::atomic_fetch_xor_explicit

enum memory_order {
  memory_order_relaxed = __ATOMIC_RELAXED,
  memory_order_consume = __ATOMIC_CONSUME,
  memory_order_acquire = __ATOMIC_ACQUIRE,
  memory_order_release = __ATOMIC_RELEASE,
  memory_order_acq_rel = __ATOMIC_ACQ_REL,
  memory_order_seq_cst = __ATOMIC_SEQ_CST
};

typedef _Atomic(bool) atomic_bool;
typedef _Atomic(char) atomic_char;
typedef _Atomic(signed char) atomic_schar;
typedef _Atomic(unsigned char) atomic_uchar;
typedef _Atomic(short) atomic_short;
typedef _Atomic(unsigned short) atomic_ushort;
typedef _Atomic(int) atomic_int;
typedef _Atomic(unsigned) atomic_uint;
typedef _Atomic(long) atomic_long;
typedef _Atomic(unsigned long) atomic_ulong;
typedef _Atomic(long long) atomic_llong;
typedef _Atomic(unsigned long long) atomic_ullong;
typedef _Atomic(std::size_t) atomic_size_t;
typedef _Atomic(std::ptrdiff_t) atomic_ptrdiff_t;
typedef _Atomic(std::intptr_t) atomic_intptr_t;
typedef _Atomic(std::uintptr_t) atomic_uintptr_t;
typedef _Atomic(std::intmax_t) atomic_intmax_t;
typedef _Atomic(std::uintmax_t) atomic_uintmax_t;

typedef struct atomic_flag {
  atomic_bool _Value;  // NOLINT(*-reserved-identifier,*-naming): Clang's name
} atomic_flag;
#define ATOMIC_FLAG_INIT {false}
#define atomic_flag_test_and_set(flag) (::channels::cilk::atomic_exchange(&(flag)->_Value, true))
#define atomic_flag_test_and_set_explicit(flag, order) \
  (::channels::cilk::atomic_exchange_explicit(&(flag)->_Value, true, order))
#define atomic_flag_clear(flag) (::channels::cilk::atomic_store(&(flag)->_Value, false))
#define atomic_flag_clear_explicit(flag, order) \
  (::channels::cilk::atomic_store_explicit(&(flag)->_Value, false, order))
