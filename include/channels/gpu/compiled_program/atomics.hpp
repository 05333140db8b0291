#pragma once

#include <type_traits>  // type_identity_t

#include "channels/detail/atomic.hpp"

/// The compiler's atomic operations (`__atomic_load_n`, `__sync_fetch_and_add` ...) in the code of
/// tasks. nvcc takes them for functions of the host, and drops them without a word from code that
/// is for host and device. So macros with these names stand for operations of libcu++, of the
/// system's scope. A unit includes this after all other headers, which may mean the compiler's own.
/// Clang has the operations for HIP.
#if defined(__CUDACC__)

namespace channels::cilk::program_atomics {

template <class T>
using word = cuda::atomic_ref<T, cuda::thread_scope_system>;
template <class T>
CHANNELS_DEVICE word<T> at(const volatile T* p) {
  return word<T>(*const_cast<T*>(p));
}
constexpr CHANNELS_DEVICE cuda::std::memory_order order_of(int order) {
  switch (order) {
    case __ATOMIC_RELAXED: return cuda::std::memory_order_relaxed;
    case __ATOMIC_CONSUME: return cuda::std::memory_order_consume;
    case __ATOMIC_ACQUIRE: return cuda::std::memory_order_acquire;
    case __ATOMIC_RELEASE: return cuda::std::memory_order_release;
    case __ATOMIC_ACQ_REL: return cuda::std::memory_order_acq_rel;
    default: return cuda::std::memory_order_seq_cst;
  }
}

template <class T>
CHANNELS_DEVICE T load_n(const volatile T* p, int order) {
  return at(p).load(order_of(order));
}
template <class T>
CHANNELS_DEVICE void load(const volatile T* p, T* result, int order) {
  *result = load_n(p, order);
}
template <class T>
CHANNELS_DEVICE void store_n(volatile T* p, std::type_identity_t<T> value, int order) {
  at(p).store(value, order_of(order));
}
template <class T>
CHANNELS_DEVICE void store(volatile T* p, const T* value, int order) {
  store_n(p, *value, order);
}
template <class T>
CHANNELS_DEVICE T exchange_n(volatile T* p, std::type_identity_t<T> value, int order) {
  return at(p).exchange(value, order_of(order));
}
template <class T>
CHANNELS_DEVICE void exchange(volatile T* p, const T* value, T* result, int order) {
  *result = exchange_n(p, *value, order);
}
template <class T>
CHANNELS_DEVICE bool compare_exchange_n(volatile T* p, T* expected, std::type_identity_t<T> desired,
                                        bool /*weak*/, int success, int failure) {
  return at(p).compare_exchange_strong(*expected, desired, order_of(success), order_of(failure));
}
template <class T>
CHANNELS_DEVICE bool compare_exchange(volatile T* p, T* expected, const T* desired, bool weak,
                                      int success, int failure) {
  return compare_exchange_n(p, expected, *desired, weak, success, failure);
}
// `fetch_` returns the value before, `_fetch` the value after, modulo the range of its type.
template <class T>
CHANNELS_DEVICE T fetch_add(volatile T* p, std::type_identity_t<T> value, int order) {
  return at(p).fetch_add(value, order_of(order));
}
template <class T>
CHANNELS_DEVICE T fetch_sub(volatile T* p, std::type_identity_t<T> value, int order) {
  return at(p).fetch_sub(value, order_of(order));
}
template <class T>
CHANNELS_DEVICE T fetch_and(volatile T* p, std::type_identity_t<T> value, int order) {
  return at(p).fetch_and(value, order_of(order));
}
template <class T>
CHANNELS_DEVICE T fetch_or(volatile T* p, std::type_identity_t<T> value, int order) {
  return at(p).fetch_or(value, order_of(order));
}
template <class T>
CHANNELS_DEVICE T fetch_xor(volatile T* p, std::type_identity_t<T> value, int order) {
  return at(p).fetch_xor(value, order_of(order));
}
template <class T>
CHANNELS_DEVICE T add_fetch(volatile T* p, std::type_identity_t<T> value, int order) {
  using bits = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<bits>(fetch_add(p, value, order)) + static_cast<bits>(value));
}
template <class T>
CHANNELS_DEVICE T sub_fetch(volatile T* p, std::type_identity_t<T> value, int order) {
  using bits = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<bits>(fetch_sub(p, value, order)) - static_cast<bits>(value));
}
template <class T>
CHANNELS_DEVICE T and_fetch(volatile T* p, std::type_identity_t<T> value, int order) {
  return static_cast<T>(fetch_and(p, value, order) & value);
}
template <class T>
CHANNELS_DEVICE T or_fetch(volatile T* p, std::type_identity_t<T> value, int order) {
  return static_cast<T>(fetch_or(p, value, order) | value);
}
template <class T>
CHANNELS_DEVICE T xor_fetch(volatile T* p, std::type_identity_t<T> value, int order) {
  return static_cast<T>(fetch_xor(p, value, order) ^ value);
}

// GCC's older operations, which are in sequential order.
template <class T>
CHANNELS_DEVICE T val_compare_and_swap(volatile T* p, std::type_identity_t<T> expected,
                                       std::type_identity_t<T> desired) {
  (void)compare_exchange_n(p, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return expected;
}
template <class T>
CHANNELS_DEVICE bool bool_compare_and_swap(volatile T* p, std::type_identity_t<T> expected,
                                           std::type_identity_t<T> desired) {
  return compare_exchange_n(p, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
template <class T>
CHANNELS_DEVICE void lock_release(volatile T* p) {
  store_n(p, T{}, __ATOMIC_RELEASE);
}
CHANNELS_DEVICE inline void synchronize() {
  cuda::atomic_thread_fence(cuda::std::memory_order_seq_cst, cuda::thread_scope_system);
}

}  // namespace channels::cilk::program_atomics

#define __atomic_load_n(...) ::channels::cilk::program_atomics::load_n(__VA_ARGS__)
#define __atomic_load(...) ::channels::cilk::program_atomics::load(__VA_ARGS__)
#define __atomic_store_n(...) ::channels::cilk::program_atomics::store_n(__VA_ARGS__)
#define __atomic_store(...) ::channels::cilk::program_atomics::store(__VA_ARGS__)
#define __atomic_exchange_n(...) ::channels::cilk::program_atomics::exchange_n(__VA_ARGS__)
#define __atomic_exchange(...) ::channels::cilk::program_atomics::exchange(__VA_ARGS__)
#define __atomic_compare_exchange_n(...) \
  ::channels::cilk::program_atomics::compare_exchange_n(__VA_ARGS__)
#define __atomic_compare_exchange(...) \
  ::channels::cilk::program_atomics::compare_exchange(__VA_ARGS__)
#define __atomic_fetch_add(...) ::channels::cilk::program_atomics::fetch_add(__VA_ARGS__)
#define __atomic_fetch_sub(...) ::channels::cilk::program_atomics::fetch_sub(__VA_ARGS__)
#define __atomic_fetch_and(...) ::channels::cilk::program_atomics::fetch_and(__VA_ARGS__)
#define __atomic_fetch_or(...) ::channels::cilk::program_atomics::fetch_or(__VA_ARGS__)
#define __atomic_fetch_xor(...) ::channels::cilk::program_atomics::fetch_xor(__VA_ARGS__)
#define __atomic_add_fetch(...) ::channels::cilk::program_atomics::add_fetch(__VA_ARGS__)
#define __atomic_sub_fetch(...) ::channels::cilk::program_atomics::sub_fetch(__VA_ARGS__)
#define __atomic_and_fetch(...) ::channels::cilk::program_atomics::and_fetch(__VA_ARGS__)
#define __atomic_or_fetch(...) ::channels::cilk::program_atomics::or_fetch(__VA_ARGS__)
#define __atomic_xor_fetch(...) ::channels::cilk::program_atomics::xor_fetch(__VA_ARGS__)
#define __sync_fetch_and_add(p, value, ...) \
  ::channels::cilk::program_atomics::fetch_add(p, value, __ATOMIC_SEQ_CST)
#define __sync_fetch_and_sub(p, value, ...) \
  ::channels::cilk::program_atomics::fetch_sub(p, value, __ATOMIC_SEQ_CST)
#define __sync_fetch_and_and(p, value, ...) \
  ::channels::cilk::program_atomics::fetch_and(p, value, __ATOMIC_SEQ_CST)
#define __sync_fetch_and_or(p, value, ...) \
  ::channels::cilk::program_atomics::fetch_or(p, value, __ATOMIC_SEQ_CST)
#define __sync_fetch_and_xor(p, value, ...) \
  ::channels::cilk::program_atomics::fetch_xor(p, value, __ATOMIC_SEQ_CST)
#define __sync_add_and_fetch(p, value, ...) \
  ::channels::cilk::program_atomics::add_fetch(p, value, __ATOMIC_SEQ_CST)
#define __sync_sub_and_fetch(p, value, ...) \
  ::channels::cilk::program_atomics::sub_fetch(p, value, __ATOMIC_SEQ_CST)
#define __sync_and_and_fetch(p, value, ...) \
  ::channels::cilk::program_atomics::and_fetch(p, value, __ATOMIC_SEQ_CST)
#define __sync_or_and_fetch(p, value, ...) \
  ::channels::cilk::program_atomics::or_fetch(p, value, __ATOMIC_SEQ_CST)
#define __sync_xor_and_fetch(p, value, ...) \
  ::channels::cilk::program_atomics::xor_fetch(p, value, __ATOMIC_SEQ_CST)
#define __sync_val_compare_and_swap(p, expected, desired, ...) \
  ::channels::cilk::program_atomics::val_compare_and_swap(p, expected, desired)
#define __sync_bool_compare_and_swap(p, expected, desired, ...) \
  ::channels::cilk::program_atomics::bool_compare_and_swap(p, expected, desired)
#define __sync_lock_test_and_set(p, value, ...) \
  ::channels::cilk::program_atomics::exchange_n(p, value, __ATOMIC_ACQUIRE)
#define __sync_lock_release(p, ...) ::channels::cilk::program_atomics::lock_release(p)
#define __sync_synchronize() ::channels::cilk::program_atomics::synchronize()

#endif
