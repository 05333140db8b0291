#pragma once

#include <type_traits>  // is_integral_v

#include "channels/config.hpp"

#if defined(__CUDACC__)
#include <cuda/atomic>  // atomic_ref, in device code
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
};

/// The threads between which an operation orders memory: those of all processors, the lanes of one
/// device, or those of one work-group. Host code ignores it.
enum class scope : int { system, device, group };

/// The order of a failed compare-and-swap: it is a load, so it does not release.
constexpr CHANNELS_DEVICE order on_failure(order o) {
  return o == order::acq_rel ? order::acquire : o == order::release ? order::relaxed : o;
}

#if defined(__CUDA_ARCH__)

constexpr cuda::thread_scope to_cuda(scope s) {
  return s == scope::group    ? cuda::thread_scope_block
         : s == scope::device ? cuda::thread_scope_device
                              : cuda::thread_scope_system;
}
template <class T, scope S>
using device_ref = cuda::atomic_ref<T, to_cuda(S)>;

constexpr CHANNELS_DEVICE cuda::std::memory_order to_cuda(order o) {
  switch (o) {
    case order::relaxed: return cuda::std::memory_order_relaxed;
    case order::acquire: return cuda::std::memory_order_acquire;
    case order::release: return cuda::std::memory_order_release;
    case order::acq_rel: break;
  }
  return cuda::std::memory_order_acq_rel;
}

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
  return device_ref<T, S>(*const_cast<T*>(word)).load(to_cuda(O));
#elif defined(__HIP_DEVICE_COMPILE__)
  return __hip_atomic_load(word, static_cast<int>(O), hip_scope<S>);
#else
  return __atomic_load_n(word, static_cast<int>(O));
#endif
}

template <order O, scope S = scope::system, class T>
CHANNELS_INLINE CHANNELS_DEVICE void atomic_store(T* word, std::type_identity_t<T> value) {
#if defined(__CUDA_ARCH__)
  device_ref<T, S>(*word).store(value, to_cuda(O));
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
  return device_ref<T, S>(*word).fetch_add(value, to_cuda(O));
#elif defined(__HIP_DEVICE_COMPILE__)
  return __hip_atomic_fetch_add(word, value, static_cast<int>(O), hip_scope<S>);
#else
  return __atomic_fetch_add(word, value, static_cast<int>(O));
#endif
}

/// Returns the value before the exchange.
template <order O, scope S = scope::system, class T>
CHANNELS_INLINE CHANNELS_DEVICE T atomic_exchange(T* word, std::type_identity_t<T> value) {
#if defined(__CUDA_ARCH__)
  return device_ref<T, S>(*word).exchange(value, to_cuda(O));
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
  return device_ref<T, S>(*word).fetch_or(bits, to_cuda(O));
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
  return device_ref<T, S>(*word).fetch_and(bits, to_cuda(O));
#elif defined(__HIP_DEVICE_COMPILE__)
  return __hip_atomic_fetch_and(word, bits, static_cast<int>(O), hip_scope<S>);
#else
  return __atomic_fetch_and(word, bits, static_cast<int>(O));
#endif
}

/// True if `*word` was `expected` and is now `desired`; otherwise `expected` holds what was found.
template <order O, scope S = scope::system, class T>
CHANNELS_INLINE CHANNELS_DEVICE bool atomic_compare_exchange(T* word, T& expected,
                                                             std::type_identity_t<T> desired) {
  constexpr order failure = on_failure(O);
#if defined(__CUDA_ARCH__)
  return device_ref<T, S>(*word).compare_exchange_strong(expected, desired, to_cuda(O),
                                                         to_cuda(failure));
#elif defined(__HIP_DEVICE_COMPILE__)
  return __hip_atomic_compare_exchange_strong(word, &expected, desired, static_cast<int>(O),
                                              static_cast<int>(failure), hip_scope<S>);
#else
  return __atomic_compare_exchange_n(word, &expected, desired, false, static_cast<int>(O),
                                     static_cast<int>(failure));
#endif
}

}  // namespace channels::detail
