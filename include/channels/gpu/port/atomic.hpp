#pragma once

#include "channels/detail/atomic.hpp"
#include "channels/gpu/port/device_code.hpp"

/// Atomic operations that the lanes of one device see. Before each, lanes may get out of step:
/// those of a GPU do, and those of an emulated one are made to.
namespace channels::gpu::detail {

using channels::detail::order;
using channels::detail::scope;

template <order O, scope S = scope::device, class T>
CHANNELS_GPU_INLINE T load(const T* word) {
  stumble();
  return channels::detail::atomic_load<O, S>(word);
}
template <order O, class T>
CHANNELS_GPU_INLINE void store(T* word, std::type_identity_t<T> value) {
  stumble();
  channels::detail::atomic_store<O, scope::device>(word, value);
}
template <order O, scope S = scope::device, class T>
CHANNELS_GPU_INLINE T fetch_add(T* word, std::type_identity_t<T> value) {
  stumble();
  return channels::detail::atomic_fetch_add<O, S>(word, value);
}
template <order O, class T>
CHANNELS_GPU_INLINE T exchange(T* word, std::type_identity_t<T> value) {
  stumble();
  return channels::detail::atomic_exchange<O, scope::device>(word, value);
}
template <order O, class T>
CHANNELS_GPU_INLINE T fetch_or(T* word, std::type_identity_t<T> bits) {
  stumble();
  return channels::detail::atomic_fetch_or<O, scope::device>(word, bits);
}
template <order O, class T>
CHANNELS_GPU_INLINE T fetch_and(T* word, std::type_identity_t<T> bits) {
  stumble();
  return channels::detail::atomic_fetch_and<O, scope::device>(word, bits);
}
/// True if `*word` was `expected` and is now `desired`.
template <order O, class T>
CHANNELS_GPU_INLINE bool compare_exchange(T* word, T expected, std::type_identity_t<T> desired) {
  stumble();
  return channels::detail::atomic_compare_exchange<O, scope::device>(word, expected, desired);
}

}  // namespace channels::gpu::detail
