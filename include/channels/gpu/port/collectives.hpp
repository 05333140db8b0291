#pragma once

#if defined(CHANNELS_GPU_EMULATED)
#include "channels/gpu/port/emulation/collectives.hpp"
#else

#include "channels/detail/atomic.hpp"
#include "channels/gpu/port/intrinsics.hpp"

/// What the lanes of a wavefront do together: votes, exchanges, sums, and atomics that one lane
/// does for all.
namespace channels::gpu::detail {

/// The lanes for which `condition` holds. All lanes of the wavefront call it together.
CHANNELS_GPU_INLINE lane_mask ballot(bool condition) {
#if defined(__HIP__)
  return static_cast<lane_mask>(__ballot(condition ? 1 : 0));
#else
  return __ballot_sync(~0U, condition);
#endif
}

/// The value of lane `from`. All lanes of the wavefront call it together.
template <class T>
CHANNELS_GPU_INLINE T of_lane(T value, unsigned from) {
#if defined(__HIP__)
  return __shfl(value, static_cast<int>(from), static_cast<int>(wave_width));
#else
  return __shfl_sync(~0U, value, static_cast<int>(from));
#endif
}

template <class T>
CHANNELS_GPU_INLINE T of_lane_above(T value, unsigned distance) {
#if defined(__HIP__)
  return __shfl_down(value, distance, static_cast<int>(wave_width));
#else
  return __shfl_down_sync(~0U, value, distance);
#endif
}

/// The largest value of all lanes. All of them call it together.
CHANNELS_GPU_INLINE std::uint32_t most_of_wave(std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  return __reduce_max_sync(~0U, value);
#else
  for (unsigned distance = wave_width / 2; distance != 0; distance /= 2) {
    value = max(value, of_lane(value, lane_index() ^ distance));
  }
  return value;
#endif
}

/// The sum over all lanes. All of them call it together.
CHANNELS_GPU_INLINE std::uint32_t total_of_wave(std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  return __reduce_add_sync(~0U, value);
#else
  for (unsigned distance = wave_width / 2; distance != 0; distance /= 2) {
    value += of_lane(value, lane_index() ^ distance);
  }
  return value;
#endif
}

/// The lanes that happen to be here together.
CHANNELS_GPU_INLINE lane_mask lanes_here() {
#if defined(__HIP__)
  return static_cast<lane_mask>(__ballot(1));
#else
  return __activemask();
#endif
}
/// The lanes of `here` for which `condition` holds. Exactly the lanes of `here` call it together.
CHANNELS_GPU_INLINE lane_mask ballot_of([[maybe_unused]] lane_mask here, bool condition) {
#if defined(__HIP__)
  return static_cast<lane_mask>(__ballot(condition ? 1 : 0));
#else
  return __ballot_sync(here, condition);
#endif
}
/// The value of the first lane of `here`. Exactly the lanes of `here` call it together.
CHANNELS_GPU_INLINE std::uint32_t of_leader(lane_mask here, std::uint32_t value) {
  const auto leader = static_cast<int>(first(here));
#if defined(__HIP__)
  return __shfl(value, leader, static_cast<int>(wave_width));
#else
  return __shfl_sync(here, value, leader);
#endif
}
/// Takes `all` numbers from a counter for the lanes of `here`, which call it together, with one
/// atomic. Returns the first of them; `limit` or more means that there are none. If any lane passes
/// `look`, a counter at `limit` stays as it is. Orders no memory.
CHANNELS_GPU_INLINE std::uint32_t claim_for(lane_mask here, std::uint32_t* counter,
                                            std::uint32_t all, std::uint32_t limit, bool look) {
  std::uint32_t start = limit;
  const bool looks = ballot_of(here, look) != 0;
  if (lane_index() == first(here) &&
      (!looks || channels::detail::atomic_load<channels::detail::order::relaxed,
                                               channels::detail::scope::device>(counter) < limit)) {
    start = atomicAdd(counter, all);
  }
  return of_leader(here, start);
}

/// Takes a number from a counter. Any lanes call it; those that happen to be here together use one
/// atomic (paper, section 3.2.2). Orders no memory.
CHANNELS_GPU_INLINE std::uint32_t claim(std::uint32_t* counter) {
  const lane_mask here = lanes_here();
  std::uint32_t start = 0;
  if (lane_index() == first(here)) start = atomicAdd(counter, count(here));
  return of_leader(here, start) + rank_in(here);
}
/// As `claim`. A number at or beyond `limit` means that there are none. `look`: a counter at
/// `limit` stays as it is; without, the caller makes sure that it does not overflow.
CHANNELS_GPU_INLINE std::uint32_t claim_one(std::uint32_t* counter, std::uint32_t limit,
                                            bool look = true) {
  const lane_mask here = lanes_here();
  return claim_for(here, counter, count(here), limit, look) + rank_in(here);
}
/// As `claim_one`, for as many numbers as each lane wants. Returns the first of them.
CHANNELS_GPU_INLINE std::uint32_t claim(std::uint32_t* counter, std::uint32_t numbers,
                                        std::uint32_t limit, bool look = true) {
  const lane_mask here = lanes_here();
  // Adds up, bit by bit, what all lanes want, and what the lanes before this one want.
  std::uint32_t all = 0;
  std::uint32_t before = 0;
  for (unsigned bit = 0; ballot_of(here, (numbers >> bit) != 0) != 0; ++bit) {
    const lane_mask with = ballot_of(here, (numbers >> bit & 1U) != 0);
    all += count(with) << bit;
    before += rank_in(with) << bit;
  }
  return claim_for(here, counter, all, limit, look) + before;
}

/// Takes a number from counter `which` of `counters`. Any lanes call it; those that happen to be
/// here together for the same counter use one atomic. Orders no memory.
CHANNELS_GPU_INLINE std::uint64_t claim_each(std::uint64_t* counters, std::uint32_t which) {
#if defined(__HIP__)
  for (;;) {
    const auto one = static_cast<std::uint32_t>(__shfl(
        static_cast<int>(which), static_cast<int>(first(static_cast<lane_mask>(__ballot(1)))),
        static_cast<int>(wave_width)));
    if (which != one) continue;
    const auto same = static_cast<lane_mask>(__ballot(1));
    unsigned long long start = 0;
    if (lane_index() == first(same)) {
      start = channels::detail::atomic_fetch_add<channels::detail::order::relaxed,
                                                 channels::detail::scope::device>(counters + which,
                                                                                  count(same));
    }
    return __shfl(start, static_cast<int>(first(same)), static_cast<int>(wave_width)) +
           rank_in(same);
  }
#elif defined(__CUDA_ARCH__)
  const lane_mask same = __match_any_sync(__activemask(), which);
  unsigned long long start = 0;
  if (lane_index() == first(same)) {
    start = channels::detail::atomic_fetch_add<channels::detail::order::relaxed,
                                               channels::detail::scope::device>(counters + which,
                                                                                count(same));
  }
  return __shfl_sync(same, start, static_cast<int>(first(same))) + rank_in(same);
#else
  return 0;
#endif
}

/// Adds one to number `which` of `counters`. Any lanes call it; those that happen to be here
/// together for the same counter use one atomic. Release, at the device's scope: a reader that
/// acquires the count sees what these lanes did before.
CHANNELS_GPU_INLINE void tally(std::uint32_t* counters, std::uint32_t which) {
  using channels::detail::order;
  using channels::detail::scope;
#if defined(__HIP__)
  for (;;) {
    const auto one = static_cast<std::uint32_t>(__shfl(
        static_cast<int>(which), static_cast<int>(first(static_cast<lane_mask>(__ballot(1)))),
        static_cast<int>(wave_width)));
    if (which != one) continue;
    const auto same = static_cast<lane_mask>(__ballot(1));
    if (lane_index() == first(same)) {
      channels::detail::atomic_fetch_add<order::release, scope::device>(counters + which,
                                                                        count(same));
    }
    return;
  }
#elif defined(__CUDA_ARCH__)
  const lane_mask same = __match_any_sync(__activemask(), which);
  __syncwarp(same);  // what each of them did comes before what the first does
  if (lane_index() == first(same)) {
    channels::detail::atomic_fetch_add<order::release, scope::device>(counters + which,
                                                                      count(same));
  }
#endif
}

}  // namespace channels::gpu::detail

#endif
