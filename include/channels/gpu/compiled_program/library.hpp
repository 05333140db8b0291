#pragma once

#include <sys/time.h>  // timeval

#include <cstddef>  // size_t
#include <cstdint>  // fixed-width integers
#include <cstdio>   // printf
#include <cstdlib>  // qsort_r
#include <ctime>    // clock, clock_gettime, time

#include "channels/config.hpp"
#include "channels/gpu/port/clock.hpp"

/// More functions of C's library, in plain code. A unit gives those that it calls their usual
/// names, as it does with functions.hpp's. Any lane calls them.

static CHANNELS_DEVICE inline std::size_t channels_cilk_strlen(const char* text) {
  std::size_t length = 0;
  while (text[length] != '\0') ++length;
  return length;
}
static CHANNELS_DEVICE inline int channels_cilk_strncmp(const char* a, const char* b,
                                                        std::size_t most) {
  for (std::size_t i = 0; i < most; ++i) {
    const auto x = static_cast<unsigned char>(a[i]);
    const auto y = static_cast<unsigned char>(b[i]);
    if (x != y) return x - y;
    if (x == 0) break;
  }
  return 0;
}
static CHANNELS_DEVICE inline int channels_cilk_strcmp(const char* a, const char* b) {
  return channels_cilk_strncmp(a, b, ~std::size_t{0});
}
static CHANNELS_DEVICE inline char* channels_cilk_strcpy(char* to, const char* from) {
  for (std::size_t i = 0; (to[i] = from[i]) != '\0'; ++i) {
  }
  return to;
}
static CHANNELS_DEVICE inline char* channels_cilk_strncpy(char* to, const char* from,
                                                          std::size_t bytes) {
  std::size_t i = 0;
  for (; i < bytes && from[i] != '\0'; ++i) to[i] = from[i];
  for (; i < bytes; ++i) to[i] = '\0';
  return to;
}
static CHANNELS_DEVICE inline char* channels_cilk_strcat(char* to, const char* from) {
  (void)channels_cilk_strcpy(to + channels_cilk_strlen(to), from);
  return to;
}

/// The numbers of the host's `rand_r`: glibc's three steps of a linear congruence.
static CHANNELS_DEVICE inline int channels_cilk_rand_r(unsigned* seed) {
  unsigned next = *seed;
  const auto step = [&next](unsigned bits) {
    next = next * 1103515245U + 12345U;
    return (next / 65536U) % bits;
  };
  unsigned result = step(2048);
  result = (result << 10U) ^ step(1024);
  result = (result << 10U) ^ step(1024);
  *seed = next;
  return static_cast<int>(result);
}

template <class Compare>
static CHANNELS_DEVICE inline void* channels_cilk_bsearch(const void* key, const void* base,
                                                          std::size_t count, std::size_t bytes,
                                                          Compare compare) {
  std::size_t low = 0;
  std::size_t high = count;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    const char* const at = static_cast<const char*>(base) + middle * bytes;
    const int order = compare(key, at);
    if (order == 0) return const_cast<char*>(at);
    if (order < 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return nullptr;
}

/// Sorts in place, by rotations: no lane has memory to spare. What compares equal stays in its
/// order, as it does with the `qsort` of glibc up to 2.36.
template <class Compare>
static CHANNELS_DEVICE inline void channels_cilk_qsort(void* base, std::size_t count,
                                                       std::size_t bytes, Compare compare) {
#if defined(CHANNELS_GPU_EMULATED)
  const auto call = [](const void* a, const void* b, void* with) {
    return (*static_cast<Compare*>(with))(a, b);
  };
  qsort_r(base, count, bytes, call, &compare);
#else
  auto* const first = static_cast<char*>(base);
  const auto at = [=](std::size_t i) { return first + i * bytes; };
  const auto reverse = [=](std::size_t from, std::size_t to) {
    for (; from + 1 < to; ++from, --to) {
      for (std::size_t i = 0; i < bytes; ++i) {
        const char kept = at(from)[i];
        at(from)[i] = at(to - 1)[i];
        at(to - 1)[i] = kept;
      }
    }
  };
  // Merges two neighbouring runs: each element of the second goes before what is greater.
  for (std::size_t width = 1; width < count; width *= 2) {
    for (std::size_t low = 0; low + width < count; low += 2 * width) {
      std::size_t middle = low + width;
      const std::size_t high = middle + width < count ? middle + width : count;
      std::size_t left = low;
      while (left < middle && middle < high) {
        if (compare(at(left), at(middle)) <= 0) {
          ++left;
          continue;
        }
        std::size_t end = middle + 1;
        while (end < high && compare(at(left), at(end)) > 0) ++end;
        reverse(left, middle);
        reverse(middle, end);
        reverse(left, end);
        left += end - middle;
        middle = end;
      }
    }
  }
#endif
}

/// Output goes where that of `printf` goes.
static CHANNELS_DEVICE inline int channels_cilk_puts(const char* text) {
  return printf("%s\n", text);
}
static CHANNELS_DEVICE inline int channels_cilk_putchar(int letter) {
  (void)printf("%c", letter);
  return static_cast<unsigned char>(letter);
}

/// The time of a GPU's clock, whose start nobody promises: the difference of two is a time.
static CHANNELS_DEVICE inline std::uint64_t channels_cilk_nanoseconds() {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return channels::gpu::detail::clock_ns();
#else
  return 0;
#endif
}
static CHANNELS_DEVICE inline std::clock_t channels_cilk_clock() {
#if defined(CHANNELS_GPU_EMULATED)
  return std::clock();
#else
  // CLOCKS_PER_SEC is a million.
  return static_cast<std::clock_t>(channels_cilk_nanoseconds() / 1000U);
#endif
}
static CHANNELS_DEVICE inline int channels_cilk_clock_gettime([[maybe_unused]] clockid_t clock,
                                                              timespec* to) {
#if defined(CHANNELS_GPU_EMULATED)
  return clock_gettime(clock, to);
#else
  const std::uint64_t now = channels_cilk_nanoseconds();
  to->tv_sec = static_cast<std::time_t>(now / 1000000000U);
  to->tv_nsec = static_cast<long>(now % 1000000000U);
  return 0;
#endif
}

static CHANNELS_DEVICE inline std::time_t channels_cilk_time(std::time_t* to) {
  timespec now{};
  (void)channels_cilk_clock_gettime(CLOCK_REALTIME, &now);
  if (to != nullptr) *to = now.tv_sec;
  return now.tv_sec;
}
static CHANNELS_DEVICE inline int channels_cilk_gettimeofday(timeval* to, void* /*zone*/) {
  timespec now{};
  (void)channels_cilk_clock_gettime(CLOCK_REALTIME, &now);
  to->tv_sec = now.tv_sec;
  to->tv_usec = now.tv_nsec / 1000;
  return 0;
}

// NOLINTNEXTLINE(cert-dcl58-cpp)
namespace std {
using ::channels_cilk_bsearch;
using ::channels_cilk_clock;
using ::channels_cilk_putchar;
using ::channels_cilk_puts;
using ::channels_cilk_qsort;
using ::channels_cilk_strcat;
using ::channels_cilk_strcmp;
using ::channels_cilk_strcpy;
using ::channels_cilk_strlen;
using ::channels_cilk_strncmp;
using ::channels_cilk_strncpy;
using ::channels_cilk_time;
}  // namespace std
