#pragma once

#include <type_traits>  // conditional_t, is_integral_v, make_unsigned_t, type_identity_t

#include "channels/config.hpp"

// libcu++ has atomic references, but includes so much that a unit compiles twice as long.
#if defined(__CUDACC__) && __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ < 1208
#error "channels needs nvcc 12.8 or later: older ones lack the atomic builtins (__nv_atomic_load_n)"
#endif

/// Atomic operations on plain words, for host and device code alike; the vendors' spellings are
/// only here. One lane or one host thread calls them. Their scope is the system unless they say
/// otherwise, since lanes of the device and the aggregator on the host see the words of a channel.
namespace channels::detail {

enum class order : int {
  relaxed = __ATOMIC_RELAXED,
  acquire = __ATOMIC_ACQUIRE,
  release = __ATOMIC_RELEASE,
  acq_rel = __ATOMIC_ACQ_REL,
  seq_cst = __ATOMIC_SEQ_CST,  ///< for a program's own operations
};

/// The threads between which an operation orders memory: those of all processors, the lanes of one
/// device, or those of one work-group. Host code ignores it.
enum class scope : int { system, device, group };

/// The order of a failed compare-and-swap: it is a load, so it does not release.
constexpr CHANNELS_DEVICE order on_failure(order o) {
  return o == order::acq_rel ? order::acquire : o == order::release ? order::relaxed : o;
}

#if defined(__CUDA_ARCH__)

// A function: nvcc does not take a variable's value for a constant here.
constexpr CHANNELS_DEVICE int cuda_scope(scope s) {
  return s == scope::group    ? __NV_THREAD_SCOPE_BLOCK
         : s == scope::device ? __NV_THREAD_SCOPE_DEVICE
                              : __NV_THREAD_SCOPE_SYSTEM;
}

// The orders are the compiler's numbers there, too.
static_assert(__NV_ATOMIC_RELAXED == __ATOMIC_RELAXED && __NV_ATOMIC_ACQUIRE == __ATOMIC_ACQUIRE &&
              __NV_ATOMIC_RELEASE == __ATOMIC_RELEASE && __NV_ATOMIC_ACQ_REL == __ATOMIC_ACQ_REL &&
              __NV_ATOMIC_SEQ_CST == __ATOMIC_SEQ_CST);

#elif defined(__HIP_DEVICE_COMPILE__)

template <scope S>
inline constexpr int hip_scope = S == scope::group    ? __HIP_MEMORY_SCOPE_WORKGROUP
                                 : S == scope::device ? __HIP_MEMORY_SCOPE_AGENT
                                                      : __HIP_MEMORY_SCOPE_SYSTEM;

#endif

template <order O, scope S = scope::system, class T>
CHANNELS_INLINE CHANNELS_DEVICE T atomic_load(const T* word) {
  static_assert(std::is_integral_v<T>);
#if defined(__CUDA_ARCH__)
  return __nv_atomic_load_n(const_cast<T*>(word), static_cast<int>(O), cuda_scope(S));
#elif defined(__HIP_DEVICE_COMPILE__)
  return __hip_atomic_load(word, static_cast<int>(O), hip_scope<S>);
#else
  return __atomic_load_n(word, static_cast<int>(O));
#endif
}

template <order O, scope S = scope::system, class T>
CHANNELS_INLINE CHANNELS_DEVICE void atomic_store(T* word, std::type_identity_t<T> value) {
#if defined(__CUDA_ARCH__)
  __nv_atomic_store_n(word, value, static_cast<int>(O), cuda_scope(S));
#elif defined(__HIP_DEVICE_COMPILE__)
  __hip_atomic_store(word, value, static_cast<int>(O), hip_scope<S>);
#else
  __atomic_store_n(word, value, static_cast<int>(O));
#endif
}

/// Returns the value before the addition.
template <order O, scope S = scope::system, class T>
CHANNELS_INLINE CHANNELS_DEVICE T atomic_fetch_add(T* word, std::type_identity_t<T> value) {
#if defined(__CUDA_ARCH__)
  // There is none for signed integers of 64 bits.
  using bits = std::make_unsigned_t<T>;
  return static_cast<T>(__nv_atomic_fetch_add(
      reinterpret_cast<bits*>(word), static_cast<bits>(value), static_cast<int>(O), cuda_scope(S)));
#elif defined(__HIP_DEVICE_COMPILE__)
  return __hip_atomic_fetch_add(word, value, static_cast<int>(O), hip_scope<S>);
#else
  return __atomic_fetch_add(word, value, static_cast<int>(O));
#endif
}

/// Adds, and returns nothing: a GPU then waits for nothing, which is up to 1.6 times as fast where
/// other GPUs have the word (H200). Relaxed.
template <scope S = scope::system, class T>
CHANNELS_INLINE CHANNELS_DEVICE void atomic_add(T* word, std::type_identity_t<T> value) {
  static_assert(std::is_integral_v<T>);
#if defined(__CUDA_ARCH__)
  // nvcc 13 fetches the value for its builtin without a result, too, and not for this function.
  if constexpr (sizeof(T) >= 4) {
    using bits = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
    auto* const place = reinterpret_cast<bits*>(word);
    const auto by = static_cast<bits>(value);
    if constexpr (S == scope::system) {
      (void)atomicAdd_system(place, by);
    } else if constexpr (S == scope::device) {
      (void)atomicAdd(place, by);
    } else {
      (void)atomicAdd_block(place, by);
    }
    return;
  }
#endif
  (void)atomic_fetch_add<order::relaxed, S>(word, value);
}

/// Returns the value before the exchange.
template <order O, scope S = scope::system, class T>
CHANNELS_INLINE CHANNELS_DEVICE T atomic_exchange(T* word, std::type_identity_t<T> value) {
#if defined(__CUDA_ARCH__)
  return __nv_atomic_exchange_n(word, value, static_cast<int>(O), cuda_scope(S));
#elif defined(__HIP_DEVICE_COMPILE__)
  return __hip_atomic_exchange(word, value, static_cast<int>(O), hip_scope<S>);
#else
  return __atomic_exchange_n(word, value, static_cast<int>(O));
#endif
}

/// Returns the bits before the operation.
template <order O, scope S = scope::system, class T>
CHANNELS_INLINE CHANNELS_DEVICE T atomic_fetch_or(T* word, std::type_identity_t<T> bits) {
#if defined(__CUDA_ARCH__)
  return __nv_atomic_fetch_or(word, bits, static_cast<int>(O), cuda_scope(S));
#elif defined(__HIP_DEVICE_COMPILE__)
  return __hip_atomic_fetch_or(word, bits, static_cast<int>(O), hip_scope<S>);
#else
  return __atomic_fetch_or(word, bits, static_cast<int>(O));
#endif
}

/// Returns the bits before the operation.
template <order O, scope S = scope::system, class T>
CHANNELS_INLINE CHANNELS_DEVICE T atomic_fetch_and(T* word, std::type_identity_t<T> bits) {
#if defined(__CUDA_ARCH__)
  return __nv_atomic_fetch_and(word, bits, static_cast<int>(O), cuda_scope(S));
#elif defined(__HIP_DEVICE_COMPILE__)
  return __hip_atomic_fetch_and(word, bits, static_cast<int>(O), hip_scope<S>);
#else
  return __atomic_fetch_and(word, bits, static_cast<int>(O));
#endif
}

/// Returns the bits before the operation.
template <order O, scope S = scope::system, class T>
CHANNELS_INLINE CHANNELS_DEVICE T atomic_fetch_xor(T* word, std::type_identity_t<T> bits) {
#if defined(__CUDA_ARCH__)
  return __nv_atomic_fetch_xor(word, bits, static_cast<int>(O), cuda_scope(S));
#elif defined(__HIP_DEVICE_COMPILE__)
  return __hip_atomic_fetch_xor(word, bits, static_cast<int>(O), hip_scope<S>);
#else
  return __atomic_fetch_xor(word, bits, static_cast<int>(O));
#endif
}

/// True if `*word` was `expected` and is now `desired`; otherwise `expected` holds what was found.
template <order O, scope S = scope::system, class T>
CHANNELS_INLINE CHANNELS_DEVICE bool atomic_compare_exchange(T* word, T& expected,
                                                             std::type_identity_t<T> desired) {
  constexpr order failure = on_failure(O);
#if defined(__CUDA_ARCH__)
  return __nv_atomic_compare_exchange_n(word, &expected, desired, false, static_cast<int>(O),
                                        static_cast<int>(failure), cuda_scope(S));
#elif defined(__HIP_DEVICE_COMPILE__)
  return __hip_atomic_compare_exchange_strong(word, &expected, desired, static_cast<int>(O),
                                              static_cast<int>(failure), hip_scope<S>);
#else
  return __atomic_compare_exchange_n(word, &expected, desired, false, static_cast<int>(O),
                                     static_cast<int>(failure));
#endif
}

}  // namespace channels::detail
