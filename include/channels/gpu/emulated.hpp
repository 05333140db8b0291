#pragma once

#include <algorithm>    // min, max
#include <bit>          // countr_zero, popcount
#include <chrono>       // nanoseconds
#include <cstdint>      // fixed-width integers
#include <cstring>      // memcpy
#include <thread>       // yield
#include <type_traits>  // type_identity_t

#include "channels/atomic.hpp"

/// What vendor.hpp has for a GPU, for threads of the CPU: each is a wavefront of one lane. It runs
/// the protocols of a GPU's lanes under ThreadSanitizer, where there is no GPU; nobody wants it for
/// speed.

#define CHANNELS_GPU_INLINE inline
#define CHANNELS_GPU_UNROLL
#define CHANNELS_GPU_FUNCTION inline
#define CHANNELS_GPU_KERNEL inline void
#define CHANNELS_GPU_PARAMETER

namespace channels::gpu {

inline constexpr std::size_t most_group_memory = 0;

namespace detail {

using channels::detail::order;

using lane_mask = std::uint32_t;
inline constexpr unsigned wave_width = 1;

/// Which wavefront the calling thread is.
inline thread_local unsigned emulated_wave = 0;

inline unsigned wave_index() { return emulated_wave; }
inline unsigned lane_index() { return 0; }
/// The work-item's number among all, for kernels that have nothing to do with wavefronts.
inline unsigned item_index() { return emulated_wave; }
inline std::uint32_t* group_memory() { return nullptr; }

using std::max;
using std::memcpy;
using std::min;

inline unsigned count(std::uint32_t mask) { return static_cast<unsigned>(std::popcount(mask)); }
inline unsigned first(std::uint32_t mask) { return static_cast<unsigned>(std::countr_zero(mask)); }
inline std::uint32_t rotate_right(std::uint32_t bits, unsigned by) {
  return std::rotr(bits, static_cast<int>(by));
}
inline unsigned rank_in(lane_mask /*mask*/) { return 0; }
inline lane_mask ballot(bool condition) { return condition ? 1 : 0; }
template <class T>
T of_lane(T value, unsigned /*from*/) {
  return value;
}
template <class T>
T of_lane_above(T value, unsigned /*distance*/) {
  return value;
}
inline std::uint32_t most_of_wave(std::uint32_t value) { return value; }
inline void converge() {}
inline void fence_in_wave() {}
inline void nap() { std::this_thread::yield(); }

template <order O, class T>
T load(const T* word) {
  return __atomic_load_n(word, static_cast<int>(O));
}
template <order O, class T>
void store(T* word, std::type_identity_t<T> value) {
  __atomic_store_n(word, value, static_cast<int>(O));
}
template <order O, class T>
T fetch_add(T* word, std::type_identity_t<T> value) {
  return __atomic_fetch_add(word, value, static_cast<int>(O));
}
template <order O, class T>
T swap_if(T* word, T expected, std::type_identity_t<T> desired) {
  (void)__atomic_compare_exchange_n(word, &expected, desired, false, static_cast<int>(O),
                                    static_cast<int>(channels::detail::on_failure(O)));
  return expected;
}
template <order O, class T>
T exchange(T* word, std::type_identity_t<T> value) {
  return __atomic_exchange_n(word, value, static_cast<int>(O));
}
template <order O>
std::uint32_t fetch_or(std::uint32_t* word, std::uint32_t bits) {
  return __atomic_fetch_or(word, bits, static_cast<int>(O));
}
template <order O>
std::uint32_t fetch_and(std::uint32_t* word, std::uint32_t bits) {
  return __atomic_fetch_and(word, bits, static_cast<int>(O));
}
template <order O, class T>
bool compare_exchange(T* word, T expected, std::type_identity_t<T> desired) {
  return swap_if<O>(word, expected, desired) == expected;
}

/// A word that another thread or the host writes while nobody waits for it.
template <class T>
T peek(const T* word) {
  return __atomic_load_n(word, __ATOMIC_RELAXED);
}

}  // namespace detail

}  // namespace channels::gpu
