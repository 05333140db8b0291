#pragma once

#include "channels/detail/atomic.hpp"
#include "channels/gpu/port/device_code.hpp"
#if defined(CHANNELS_GPU_EMULATED)
#include "channels/gpu/port/emulation/lane.hpp"
#endif

/// Atomic operations that the lanes of one device see, or with `scope::system` those of several.
/// Before each, lanes may get out of step: those of a GPU do, and those of an emulated one are made
/// to. An emulated lane ends the program if the scope is too small for the word's memory.
namespace channels::gpu::detail {

using channels::detail::order;
using channels::detail::scope;

#if !defined(CHANNELS_GPU_EMULATED)
template <scope S>
CHANNELS_GPU_INLINE void check_scope(const void* /*word*/) {}
#endif

template <order O, scope S = scope::device, class T>
CHANNELS_GPU_INLINE T load(const T* word) {
  stumble();
  check_scope<S>(word);
  return channels::detail::atomic_load<O, S>(word);
}
template <order O, scope S = scope::device, class T>
CHANNELS_GPU_INLINE void store(T* word, std::type_identity_t<T> value) {
  stumble();
  check_scope<S>(word);
  channels::detail::atomic_store<O, S>(word, value);
}
template <order O, scope S = scope::device, class T>
CHANNELS_GPU_INLINE T fetch_add(T* word, std::type_identity_t<T> value) {
  stumble();
  check_scope<S>(word);
  return channels::detail::atomic_fetch_add<O, S>(word, value);
}
template <order O, scope S = scope::device, class T>
CHANNELS_GPU_INLINE T exchange(T* word, std::type_identity_t<T> value) {
  stumble();
  check_scope<S>(word);
  return channels::detail::atomic_exchange<O, S>(word, value);
}
template <order O, scope S = scope::device, class T>
CHANNELS_GPU_INLINE T fetch_or(T* word, std::type_identity_t<T> bits) {
  stumble();
  check_scope<S>(word);
  return channels::detail::atomic_fetch_or<O, S>(word, bits);
}
template <order O, scope S = scope::device, class T>
CHANNELS_GPU_INLINE T fetch_and(T* word, std::type_identity_t<T> bits) {
  stumble();
  check_scope<S>(word);
  return channels::detail::atomic_fetch_and<O, S>(word, bits);
}
/// True if `*word` was `expected` and is now `desired`.
template <order O, scope S = scope::device, class T>
CHANNELS_GPU_INLINE bool compare_exchange(T* word, T expected, std::type_identity_t<T> desired) {
  stumble();
  check_scope<S>(word);
  return channels::detail::atomic_compare_exchange<O, S>(word, expected, desired);
}

}  // namespace channels::gpu::detail
