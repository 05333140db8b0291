#pragma once

#if defined(__CUDACC__)

// In C++20 the library's functions go another way for constants where the usual one leads to
// functions of the host alone: such as std::copy of one object, what fills a vector, and what gives
// it memory. The device goes that way: <type_traits> and <bits/c++config.h> ask once, for all.
#if defined(__CUDA_ARCH__)
#define __builtin_is_constant_evaluated() true
#endif

#include <cstddef>      // size_t
#include <limits>       // numeric_limits
#include <type_traits>  // is_unsigned_v

/// GCC's builtins that nvcc (13) takes for functions of the host. In constexpr functions, which
/// --expt-relaxed-constexpr makes the device's, too, it drops their calls without a word, and with
/// them what depends on the result: so std::countr_zero is 32, std::popcount of a long 0, and
/// std::copy copies nothing. Under these names they are code for both, for what is included later.
#define CHANNELS_NVCC_BUILTINS 1
#if defined(_STL_ALGOBASE_H)
#error "the standard library was included before: nvcc wants -I include/channels/gpu/port/nvcc"
#endif

namespace channels::nvcc {

#define CHANNELS_NVCC_BOTH __attribute__((host)) __attribute__((device))

// In memory: bytes, or words where all are aligned to words.

template <class Word>
CHANNELS_NVCC_BOTH inline void move_words(void* to, const void* from, std::size_t count) {
  // Memory may be of any type.
  typedef Word __attribute__((may_alias)) word;
  auto* const t = static_cast<word*>(to);
  const auto* const f = static_cast<const word*>(from);
  if (to < from) {
    for (std::size_t i = 0; i < count; ++i) t[i] = f[i];
  } else {
    for (std::size_t i = count; i-- != 0;) t[i] = f[i];
  }
}
CHANNELS_NVCC_BOTH inline void* move(void* to, const void* from, std::size_t bytes) {
#if defined(__CUDA_ARCH__)
  using word = unsigned long long;
  const auto unaligned =
      (reinterpret_cast<std::size_t>(to) | reinterpret_cast<std::size_t>(from) | bytes) %
      sizeof(word);
  if (unaligned == 0) {
    move_words<word>(to, from, bytes / sizeof(word));
  } else {
    move_words<unsigned char>(to, from, bytes);
  }
  return to;
#else
  return __builtin_memmove(to, from, bytes);
#endif
}
CHANNELS_NVCC_BOTH constexpr int compare(const void* a, const void* b, std::size_t bytes) {
#if defined(__CUDA_ARCH__)
  const auto* const x = static_cast<const unsigned char*>(a);
  const auto* const y = static_cast<const unsigned char*>(b);
  for (std::size_t i = 0; i < bytes; ++i) {
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  }
  return 0;
#else
  return __builtin_memcmp(a, b, bytes);
#endif
}
CHANNELS_NVCC_BOTH constexpr std::size_t length(const char* text) {
#if defined(__CUDA_ARCH__)
  std::size_t n = 0;
  while (text[n] != 0) ++n;
  return n;
#else
  return __builtin_strlen(text);
#endif
}

// Numbers.

template <class T>
CHANNELS_NVCC_BOTH constexpr int classify(int nan, int infinite, int normal, int subnormal,
                                          int zero, T x) {
  const T size = x < 0 ? -x : x;
  if (x != x) return nan;
  if (size > std::numeric_limits<T>::max()) return infinite;
  if (size == 0) return zero;
  return size < std::numeric_limits<T>::min() ? subnormal : normal;
}

// Bits.

CHANNELS_NVCC_BOTH constexpr unsigned short swap16(unsigned short x) {
  return static_cast<unsigned short>(x << 8 | x >> 8);
}
CHANNELS_NVCC_BOTH constexpr unsigned swap32(unsigned x) {
  return static_cast<unsigned>(swap16(static_cast<unsigned short>(x))) << 16 |
         swap16(static_cast<unsigned short>(x >> 16));
}
CHANNELS_NVCC_BOTH constexpr unsigned long swap64(unsigned long x) {
  return static_cast<unsigned long>(swap32(static_cast<unsigned>(x))) << 32 |
         swap32(static_cast<unsigned>(x >> 32));
}

// Whether the true result does not fit `*result`; that becomes its lower bits.

template <class T>
CHANNELS_NVCC_BOTH constexpr bool is_negative(T value) {
  // Unsigned types have no negative values, and compilers warn of the comparison.
  if constexpr (static_cast<T>(-1) > static_cast<T>(1)) {
    return false;
  } else {
    return value < T{};
  }
}
template <class Wide, class R>
CHANNELS_NVCC_BOTH constexpr bool narrow(Wide wide, R* result) {
  *result = static_cast<R>(wide);
  return static_cast<Wide>(*result) != wide || is_negative(*result) != is_negative(wide);
}
template <class A, class B, class R>
CHANNELS_NVCC_BOTH constexpr bool add_overflow(A a, B b, R* result) {
  return narrow(static_cast<__int128>(a) + static_cast<__int128>(b), result);
}
template <class A, class B, class R>
CHANNELS_NVCC_BOTH constexpr bool sub_overflow(A a, B b, R* result) {
  return narrow(static_cast<__int128>(a) - static_cast<__int128>(b), result);
}
template <class A, class B, class R>
CHANNELS_NVCC_BOTH constexpr bool mul_overflow(A a, B b, R* result) {
  if constexpr (std::is_unsigned_v<A> && std::is_unsigned_v<B>) {
    // The product of two factors of 64 bits does not fit the signed type.
    const auto wide = static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b);
    *result = static_cast<R>(wide);
    return wide > static_cast<unsigned __int128>(std::numeric_limits<R>::max());
  } else {
    return narrow(static_cast<__int128>(a) * static_cast<__int128>(b), result);
  }
}

#undef CHANNELS_NVCC_BOTH

}  // namespace channels::nvcc

// What is constant decides between ways to the same result.
#define __builtin_constant_p(x) 0
#define __builtin_prefetch(...) static_cast<void>(0)
#define __builtin_expect_with_probability(x, value, probability) __builtin_expect(x, value)

// nvcc has these of one width, or of another name.
#define __builtin_ctz(x) (__builtin_ffs(static_cast<int>(x)) - 1)
#define __builtin_ctzl(x) (__builtin_ffsll(static_cast<long long>(x)) - 1)
#define __builtin_ctzll(x) (__builtin_ffsll(static_cast<long long>(x)) - 1)
#define __builtin_ffsl(x) __builtin_ffsll(x)
#define __builtin_clzl(x) __builtin_clzll(x)
#define __builtin_popcountl(x) __builtin_popcountll(x)
#define __builtin_parity(x) (__builtin_popcount(x) & 1)
#define __builtin_parityl(x) (__builtin_popcountll(x) & 1)
#define __builtin_parityll(x) (__builtin_popcountll(x) & 1)
#define __builtin_isless(x, y) ((x) < (y))
#define __builtin_islessequal(x, y) ((x) <= (y))
#define __builtin_isgreater(x, y) ((x) > (y))
#define __builtin_isgreaterequal(x, y) ((x) >= (y))
#define __builtin_islessgreater(x, y) ((x) < (y) || (x) > (y))
#define __builtin_isunordered(x, y) ((x) != (x) || (y) != (y))
#define __builtin_fpclassify(nan, infinite, normal, subnormal, zero, x) \
  ::channels::nvcc::classify(nan, infinite, normal, subnormal, zero, x)
#define __builtin_isnormal(x) (::channels::nvcc::classify(0, 0, 1, 0, 0, x) != 0)

#define __builtin_bswap16(x) ::channels::nvcc::swap16(x)
#define __builtin_bswap32(x) ::channels::nvcc::swap32(x)
#define __builtin_bswap64(x) ::channels::nvcc::swap64(x)
#define __builtin_memmove(to, from, bytes) ::channels::nvcc::move(to, from, bytes)
#define __builtin_memcmp(a, b, bytes) ::channels::nvcc::compare(a, b, bytes)
#define __builtin_strlen(text) ::channels::nvcc::length(text)
#define __builtin_add_overflow(a, b, result) ::channels::nvcc::add_overflow(a, b, result)
#define __builtin_sub_overflow(a, b, result) ::channels::nvcc::sub_overflow(a, b, result)
#define __builtin_mul_overflow(a, b, result) ::channels::nvcc::mul_overflow(a, b, result)

#endif
