#pragma once

#include <cstddef>      // size_t
#include <cstdint>      // fixed-width integers
#include <cstring>      // memcpy
#include <type_traits>  // conditional_t, integral_constant, make_unsigned_t, type_identity_t

#include "channels/detail/atomic.hpp"

/// The compiler's atomic operations (`__atomic_load_n`, `__sync_fetch_and_add` ...) in the code of
/// tasks. nvcc takes them for functions of the host, and drops them without a word from code that
/// is for host and device. So macros with these names stand for nvcc's own builtins, of the
/// system's scope. A unit includes this after all other headers, which may mean the compiler's own.
/// Clang has the operations for HIP.
#if defined(__CUDACC__)

namespace channels::cilk::program_atomics {

/// A word of the size of `T`, which the builtins take for any type of that size.
template <class T>
using word_of = std::conditional_t<
    sizeof(T) == 1, std::uint8_t,
    std::conditional_t<sizeof(T) == 2, std::uint16_t,
                       std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;
template <class T>
CHANNELS_DEVICE word_of<T> to_word(T value) {
  static_assert(sizeof(T) == sizeof(word_of<T>), "atomic operations are on 1, 2, 4 or 8 bytes");
  word_of<T> word;
  memcpy(&word, &value, sizeof word);
  return word;
}
template <class T>
CHANNELS_DEVICE T from_word(word_of<T> word) {
  T value;
  memcpy(&value, &word, sizeof value);
  return value;
}
template <class T>
CHANNELS_DEVICE word_of<T>* word_at(const volatile T* p) {
  return reinterpret_cast<word_of<T>*>(const_cast<T*>(p));
}

using channels::detail::order;
template <order O>
using constant_order = std::integral_constant<order, O>;

/// Calls `access` with `wanted` as a type, since the builtins take constants only. The three
/// functions are for operations that read and write, that only read, and that only write.
template <class Access>
CHANNELS_DEVICE auto in_order(int wanted, Access access) {
  switch (wanted) {
    case __ATOMIC_RELAXED: return access(constant_order<order::relaxed>());
    case __ATOMIC_CONSUME:
    case __ATOMIC_ACQUIRE: return access(constant_order<order::acquire>());
    case __ATOMIC_RELEASE: return access(constant_order<order::release>());
    case __ATOMIC_ACQ_REL: return access(constant_order<order::acq_rel>());
    default: return access(constant_order<order::seq_cst>());
  }
}
template <class Access>
CHANNELS_DEVICE auto in_order_of_read(int wanted, Access access) {
  switch (wanted) {
    case __ATOMIC_RELAXED: return access(constant_order<order::relaxed>());
    case __ATOMIC_CONSUME:
    case __ATOMIC_ACQUIRE: return access(constant_order<order::acquire>());
    default: return access(constant_order<order::seq_cst>());
  }
}
template <class Access>
CHANNELS_DEVICE void in_order_of_write(int wanted, Access access) {
  switch (wanted) {
    case __ATOMIC_RELAXED: return access(constant_order<order::relaxed>());
    case __ATOMIC_RELEASE: return access(constant_order<order::release>());
    default: return access(constant_order<order::seq_cst>());
  }
}
/// One order for a compare-and-swap, as strong as both of its orders.
constexpr CHANNELS_DEVICE int strongest(int success, int failure) {
  if (success == __ATOMIC_SEQ_CST || failure == __ATOMIC_SEQ_CST) return __ATOMIC_SEQ_CST;
  if (failure == __ATOMIC_RELAXED) return success;
  return success == __ATOMIC_RELEASE || success == __ATOMIC_ACQ_REL ? __ATOMIC_ACQ_REL
                                                                    : __ATOMIC_ACQUIRE;
}

/// `*p` becomes `next(*p)`, and the value before is returned. `whole(p)` is the one operation that
/// does so. nvcc has none for words of less than 4 bytes: they are parts of larger words, which a
/// loop swaps.
template <order O, class Word, class Whole, class Next>
CHANNELS_DEVICE Word change(Word* p, Whole whole, [[maybe_unused]] Next next) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(Word) < sizeof(std::uint32_t)) {
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    auto* const around = reinterpret_cast<std::uint32_t*>(address & ~std::uintptr_t{3});
    const auto shift = static_cast<unsigned>(address & 3U) * 8U;
    const std::uint32_t mask = std::uint32_t{static_cast<Word>(~Word{0})} << shift;
    std::uint32_t seen = channels::detail::atomic_load<order::relaxed>(around);
    for (;;) {
      const auto was = static_cast<Word>(seen >> shift);
      const std::uint32_t part = std::uint32_t{static_cast<Word>(next(was))} << shift;
      if (channels::detail::atomic_compare_exchange<O>(around, seen, (seen & ~mask) | part))
        return was;
    }
  } else {
    return whole(p);
  }
#else
  return whole(p);
#endif
}

template <class T>
CHANNELS_DEVICE T load_n(const volatile T* p, int order) {
  return from_word<T>(in_order_of_read(
      order, [=](auto in) { return channels::detail::atomic_load<in>(word_at(p)); }));
}
template <class T>
CHANNELS_DEVICE void load(const volatile T* p, T* result, int order) {
  *result = load_n(p, order);
}
template <class T>
CHANNELS_DEVICE void store_n(volatile T* p, std::type_identity_t<T> value, int order) {
  in_order_of_write(
      order, [=](auto in) { channels::detail::atomic_store<in>(word_at(p), to_word<T>(value)); });
}
template <class T>
CHANNELS_DEVICE void store(volatile T* p, const T* value, int order) {
  store_n(p, *value, order);
}
template <class T>
CHANNELS_DEVICE T exchange_n(volatile T* p, std::type_identity_t<T> value, int order) {
  const auto word = to_word<T>(value);
  return from_word<T>(in_order(order, [=](auto in) {
    return change<in>(
        word_at(p), [=](auto* at) { return channels::detail::atomic_exchange<in>(at, word); },
        [=](auto) { return word; });
  }));
}
template <class T>
CHANNELS_DEVICE void exchange(volatile T* p, const T* value, T* result, int order) {
  *result = exchange_n(p, *value, order);
}
template <class T>
CHANNELS_DEVICE bool compare_exchange_n(volatile T* p, T* expected, std::type_identity_t<T> desired,
                                        bool /*weak*/, int success, int failure) {
  const auto wanted = to_word<T>(*expected);
  const auto word = to_word<T>(desired);
  const auto found = in_order(strongest(success, failure), [=](auto in) {
    return change<in>(
        word_at(p),
        [=](auto* at) {
          auto seen = wanted;
          (void)channels::detail::atomic_compare_exchange<in>(at, seen, word);
          return seen;
        },
        [=](auto was) { return was == wanted ? word : was; });
  });
  if (found == wanted) return true;
  *expected = from_word<T>(found);
  return false;
}
template <class T>
CHANNELS_DEVICE bool compare_exchange(volatile T* p, T* expected, const T* desired, bool weak,
                                      int success, int failure) {
  return compare_exchange_n(p, expected, *desired, weak, success, failure);
}
// `fetch_` returns the value before, `_fetch` the value after, modulo the range of its type.
template <class T>
CHANNELS_DEVICE T fetch_add(volatile T* p, std::type_identity_t<T> value, int order) {
  static_assert(std::is_integral_v<T>);
  const auto word = to_word<T>(value);
  return from_word<T>(in_order(order, [=](auto in) {
    return change<in>(
        word_at(p), [=](auto* at) { return channels::detail::atomic_fetch_add<in>(at, word); },
        [=](auto was) { return was + word; });
  }));
}
template <class T>
CHANNELS_DEVICE T fetch_sub(volatile T* p, std::type_identity_t<T> value, int order) {
  static_assert(std::is_integral_v<T>);
  return fetch_add(p, from_word<T>(static_cast<word_of<T>>(0 - to_word<T>(value))), order);
}
template <class T>
CHANNELS_DEVICE T fetch_and(volatile T* p, std::type_identity_t<T> value, int order) {
  static_assert(std::is_integral_v<T>);
  const auto word = to_word<T>(value);
  return from_word<T>(in_order(order, [=](auto in) {
    return change<in>(
        word_at(p), [=](auto* at) { return channels::detail::atomic_fetch_and<in>(at, word); },
        [=](auto was) { return was & word; });
  }));
}
template <class T>
CHANNELS_DEVICE T fetch_or(volatile T* p, std::type_identity_t<T> value, int order) {
  static_assert(std::is_integral_v<T>);
  const auto word = to_word<T>(value);
  return from_word<T>(in_order(order, [=](auto in) {
    return change<in>(
        word_at(p), [=](auto* at) { return channels::detail::atomic_fetch_or<in>(at, word); },
        [=](auto was) { return was | word; });
  }));
}
template <class T>
CHANNELS_DEVICE T fetch_xor(volatile T* p, std::type_identity_t<T> value, int order) {
  static_assert(std::is_integral_v<T>);
  const auto word = to_word<T>(value);
  return from_word<T>(in_order(order, [=](auto in) {
    return change<in>(
        word_at(p), [=](auto* at) { return channels::detail::atomic_fetch_xor<in>(at, word); },
        [=](auto was) { return was ^ word; });
  }));
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
#if defined(__CUDA_ARCH__)
  __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_SYSTEM);
#else
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
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
