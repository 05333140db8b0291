#pragma once

#include <math.h>  // mathematics by the names of C

#include <limits>       // numeric_limits
#include <type_traits>  // is_same_v

#include "channels/config.hpp"

/// Arithmetic and functions of complex numbers, for devices: nvcc makes no code for the compiler's
/// own. Sums, products and quotients have the host's digits (those of the library of GCC, since GCC
/// 12). Functions are computed as glibc does, out of a device's mathematics. Any lane calls them.
///
/// All are constexpr templates, as C++'s library may call them in such.
namespace channels::complex_numbers {

template <class T>
struct parts {
  T real;
  T imaginary;
};

#define CHANNELS_COMPLEX_ONE(NAME)                \
  template <class T>                              \
  CHANNELS_DEVICE constexpr T NAME(T x) {         \
    if constexpr (std::is_same_v<T, float>)       \
      return ::NAME##f(x);                        \
    else if constexpr (std::is_same_v<T, double>) \
      return ::NAME(x);                           \
    else                                          \
      return ::NAME##l(x);                        \
  }
#define CHANNELS_COMPLEX_TWO(NAME)                \
  template <class T>                              \
  CHANNELS_DEVICE constexpr T NAME(T x, T y) {    \
    if constexpr (std::is_same_v<T, float>)       \
      return ::NAME##f(x, y);                     \
    else if constexpr (std::is_same_v<T, double>) \
      return ::NAME(x, y);                        \
    else                                          \
      return ::NAME##l(x, y);                     \
  }
CHANNELS_COMPLEX_ONE(sqrt)
CHANNELS_COMPLEX_ONE(exp)
CHANNELS_COMPLEX_ONE(log)
CHANNELS_COMPLEX_ONE(log1p)
CHANNELS_COMPLEX_ONE(sin)
CHANNELS_COMPLEX_ONE(cos)
CHANNELS_COMPLEX_ONE(sinh)
CHANNELS_COMPLEX_ONE(cosh)
CHANNELS_COMPLEX_ONE(fabs)
CHANNELS_COMPLEX_TWO(hypot)
CHANNELS_COMPLEX_TWO(atan2)
CHANNELS_COMPLEX_TWO(copysign)
#undef CHANNELS_COMPLEX_ONE
#undef CHANNELS_COMPLEX_TWO

template <class T>
CHANNELS_DEVICE constexpr T fused(T x, T y, T z) {
  if constexpr (std::is_same_v<T, float>)
    return ::fmaf(x, y, z);
  else
    return ::fma(x, y, z);
}
template <class T>
CHANNELS_DEVICE constexpr T scaled(T x, int bits) {
  if constexpr (std::is_same_v<T, float>)
    return ::ldexpf(x, bits);
  else
    return ::ldexp(x, bits);
}

template <class T>
CHANNELS_DEVICE constexpr bool is_nan(T x) {
  return x != x;  // NOLINT(misc-redundant-expression)
}
template <class T>
CHANNELS_DEVICE constexpr bool is_infinite(T x) {
  return complex_numbers::fabs(x) > std::numeric_limits<T>::max();
}
template <class T>
CHANNELS_DEVICE constexpr bool is_finite(T x) {
  return complex_numbers::fabs(x) <= std::numeric_limits<T>::max();
}
template <class T>
CHANNELS_DEVICE constexpr bool is_negative(T x) {
  return complex_numbers::copysign(T(1), x) < T(0);
}
/// Of an infinite number its sign, of another 0 with its sign.
template <class T>
CHANNELS_DEVICE constexpr T boxed(T x) {
  return complex_numbers::copysign(is_infinite(x) ? T(1) : T(0), x);
}
template <class T>
CHANNELS_DEVICE constexpr void end_nan(T& x) {
  if (is_nan(x)) x = complex_numbers::copysign(T(0), x);
}

/// Products as C's standard has them (annex G): what is infinite stays so.
template <class T>
CHANNELS_DEVICE constexpr parts<T> product(parts<T> left, parts<T> right) {
  T a = left.real, b = left.imaginary, c = right.real, d = right.imaginary;
  const T ac = a * c, bd = b * d, ad = a * d, bc = b * c;
  T x = ac - bd, y = ad + bc;
  if (is_nan(x) && is_nan(y)) {
    bool again = false;
    if (is_infinite(a) || is_infinite(b)) {
      a = boxed(a), b = boxed(b);
      end_nan(c), end_nan(d);
      again = true;
    }
    if (is_infinite(c) || is_infinite(d)) {
      c = boxed(c), d = boxed(d);
      end_nan(a), end_nan(b);
      again = true;
    }
    if (!again && (is_infinite(ac) || is_infinite(bd) || is_infinite(ad) || is_infinite(bc))) {
      end_nan(a), end_nan(b), end_nan(c), end_nan(d);
      again = true;
    }
    if (again) {
      x = std::numeric_limits<T>::infinity() * (a * c - b * d);
      y = std::numeric_limits<T>::infinity() * (a * d + b * c);
    }
  }
  return {x, y};
}

/// What a quotient is where both of its parts are no numbers.
template <class T>
CHANNELS_DEVICE constexpr parts<T> corrected_quotient(parts<T> made, T a, T b, T c, T d) {
  if (!is_nan(made.real) || !is_nan(made.imaginary)) return made;
  const T infinity = std::numeric_limits<T>::infinity();
  if (c == T(0) && d == T(0) && (!is_nan(a) || !is_nan(b)))
    return {complex_numbers::copysign(infinity, c) * a, complex_numbers::copysign(infinity, c) * b};
  if ((is_infinite(a) || is_infinite(b)) && is_finite(c) && is_finite(d)) {
    a = boxed(a), b = boxed(b);
    return {infinity * (a * c + b * d), infinity * (b * c - a * d)};
  }
  if ((is_infinite(c) || is_infinite(d)) && is_finite(a) && is_finite(b)) {
    c = boxed(c), d = boxed(d);
    return {T(0) * (a * c + b * d), T(0) * (b * c - a * d)};
  }
  return made;
}

/// Quotients by Smith's method, with what Baudin and Smith, "A Robust Complex Division in Scilab"
/// (2012), add against overflow. Those of `float` are computed in `double`.
template <class T>
CHANNELS_DEVICE constexpr parts<T> quotient(parts<T> left, parts<T> right) {
  T a = left.real, b = left.imaginary, c = right.real, d = right.imaginary;
  if constexpr (std::is_same_v<T, float>) {
    const double e = a, f = b, g = c, h = d;
    const double below = g * g + h * h;
    return corrected_quotient<float>(
        {static_cast<float>((e * g + f * h) / below), static_cast<float>((f * g - e * h) / below)},
        a, b, c, d);
  } else {
    using limits = std::numeric_limits<T>;
    constexpr T large = limits::max() / 2;
    constexpr T small = limits::min();
    constexpr T most = large * limits::epsilon();
    const bool turned = complex_numbers::fabs(c) < complex_numbers::fabs(d);
    if (complex_numbers::fabs(turned ? d : c) >= large) a /= 2, b /= 2, c /= 2, d /= 2;
    const T longer = complex_numbers::fabs(turned ? d : c);
    const T x = complex_numbers::fabs(a), y = complex_numbers::fabs(b);
    if (longer < limits::epsilon() ||
        (longer < most && ((x < small && y < most) || (y < small && x < most)))) {
      constexpr T up = 1 / limits::epsilon();
      a *= up, b *= up, c *= up, d *= up;
    }
    parts<T> made{};
    if (turned) {
      const T ratio = c / d, below = (c * ratio) + d;
      const bool fine = complex_numbers::fabs(ratio) > small;
      made.real = ((fine ? a * ratio : c * (a / d)) + b) / below;
      made.imaginary = ((fine ? b * ratio : c * (b / d)) - a) / below;
    } else {
      const T ratio = d / c, below = (d * ratio) + c;
      const bool fine = complex_numbers::fabs(ratio) > small;
      made.real = ((fine ? b * ratio : d * (b / c)) + a) / below;
      made.imaginary = (b - (fine ? a * ratio : d * (a / c))) / below;
    }
    return corrected_quotient(made, a, b, c, d);
  }
}

/// Without a thought of what is infinite or too large: -fcx-limited-range.
template <class T>
CHANNELS_DEVICE constexpr parts<T> limited_product(parts<T> left, parts<T> right) {
  return {left.real * right.real - left.imaginary * right.imaginary,
          left.real * right.imaginary + left.imaginary * right.real};
}
template <class T>
CHANNELS_DEVICE constexpr parts<T> limited_quotient(parts<T> left, parts<T> right) {
  const T below = right.real * right.real + right.imaginary * right.imaginary;
  return {(left.real * right.real + left.imaginary * right.imaginary) / below,
          (left.imaginary * right.real - left.real * right.imaginary) / below};
}

template <class T>
CHANNELS_DEVICE constexpr T length(parts<T> z) {
  return complex_numbers::hypot(z.real, z.imaginary);
}
template <class T>
CHANNELS_DEVICE constexpr T angle(parts<T> z) {
  return complex_numbers::atan2(z.imaginary, z.real);
}
template <class T>
CHANNELS_DEVICE constexpr parts<T> projected(parts<T> z) {
  if (!is_infinite(z.real) && !is_infinite(z.imaginary)) return z;
  return {std::numeric_limits<T>::infinity(), complex_numbers::copysign(T(0), z.imaginary)};
}

/// The cosine and the sine of an angle: the sine of a number that is next to 0 is the number.
template <class T>
CHANNELS_DEVICE constexpr parts<T> direction(T turn) {
  if (complex_numbers::fabs(turn) > std::numeric_limits<T>::min())
    return {complex_numbers::cos(turn), complex_numbers::sin(turn)};
  return {T(1), turn};
}

/// The logarithm of the largest number, rounded down.
template <class T>
constexpr T largest_power = std::is_same_v<T, float> ? T(88) : T(709);

/// `e` to the power of `x`, along `turned`: also where the power alone is too large.
template <class T>
CHANNELS_DEVICE constexpr parts<T> along(T x, parts<T> turned) {
  const T most = largest_power<T>;
  for (int i = 0; i < 2 && x > most; ++i) {
    const T part = complex_numbers::exp(most);
    x -= most;
    turned.real *= part;
    turned.imaginary *= part;
  }
  const T rest = x > most ? std::numeric_limits<T>::max() : complex_numbers::exp(x);
  return {rest * turned.real, rest * turned.imaginary};
}

template <class T>
CHANNELS_DEVICE constexpr parts<T> exponential(parts<T> z) {
  using limits = std::numeric_limits<T>;
  const T x = z.real, y = z.imaginary;
  if (is_finite(x)) {
    if (is_finite(y)) return along(x, direction(y));
    return {limits::quiet_NaN(), limits::quiet_NaN()};
  }
  if (is_infinite(x)) {
    const T size = is_negative(x) ? T(0) : limits::infinity();
    if (y == T(0)) return {size, y};
    if (is_finite(y)) {
      const parts<T> turned = direction(y);
      return {complex_numbers::copysign(size, turned.real),
              complex_numbers::copysign(size, turned.imaginary)};
    }
    if (is_negative(x)) return {T(0), complex_numbers::copysign(T(0), y)};
    return {limits::infinity(), limits::quiet_NaN()};
  }
  return {limits::quiet_NaN(), y == T(0) ? y : limits::quiet_NaN()};
}

/// `x * x + y * y - 1`, which is small, for `1 > x >= 0.5` and `x >= y`.
template <class T>
CHANNELS_DEVICE constexpr T beyond_one(T x, T y) {
  const T first = x * x, second = y * y;
  const T rest = fused(x, x, -first) + fused(y, y, -second);
  const T nearer = first - 1;  // exact, as is what is added where the sum is small
  const T sum = nearer + second;
  const T lost =
      complex_numbers::fabs(nearer) >= second ? (nearer - sum) + second : (second - sum) + nearer;
  return sum + (lost + rest);
}

template <class T>
CHANNELS_DEVICE constexpr parts<T> logarithm(parts<T> z) {
  using limits = std::numeric_limits<T>;
  T x = complex_numbers::fabs(z.real), y = complex_numbers::fabs(z.imaginary);
  if (is_nan(x) || is_nan(y))
    return {is_infinite(x) || is_infinite(y) ? limits::infinity() : limits::quiet_NaN(),
            limits::quiet_NaN()};
  const T turn = angle(z);
  if (x == T(0) && y == T(0)) return {-limits::infinity(), turn};
  if (x < y) {
    const T longer = y;
    y = x;
    x = longer;
  }
  int bits = 0;
  if (x > limits::max() / 2) {
    bits = -1;
    x = scaled(x, -1);
    y = y >= limits::min() * 2 ? scaled(y, -1) : T(0);
  } else if (x < limits::min() && y < limits::min()) {
    bits = limits::digits;
    x = scaled(x, bits);
    y = scaled(y, bits);
  }
  if (bits == 0) {
    if (x == T(1)) return {complex_numbers::log1p(y * y) / 2, turn};
    const T near = (x - 1) * (x + 1);
    if (x > T(1) && x < T(2) && y < T(1))
      return {complex_numbers::log1p(y >= limits::epsilon() ? near + y * y : near) / 2, turn};
    if (x < T(1) && x >= T(0.5)) {
      if (y < limits::epsilon() / 2) return {complex_numbers::log1p(near) / 2, turn};
      if (x * x + y * y >= T(0.5)) return {complex_numbers::log1p(beyond_one(x, y)) / 2, turn};
    }
  }
  const T two = T(0.693147180559945309417232121458176568L);
  return {complex_numbers::log(complex_numbers::hypot(x, y)) - T(bits) * two, turn};
}

template <class T>
CHANNELS_DEVICE constexpr parts<T> power(parts<T> base, parts<T> exponent) {
  return exponential(product(exponent, logarithm(base)));
}

template <class T>
CHANNELS_DEVICE constexpr parts<T> root(parts<T> z) {
  using limits = std::numeric_limits<T>;
  T x = z.real, y = z.imaginary;
  if (!is_finite(x) || !is_finite(y)) {
    if (is_infinite(y)) return {limits::infinity(), y};
    const T other = is_nan(y) ? limits::quiet_NaN() : complex_numbers::copysign(T(0), y);
    if (is_infinite(x) && x < T(0))
      return {is_nan(y) ? limits::quiet_NaN() : T(0),
              complex_numbers::copysign(limits::infinity(), y)};
    if (is_infinite(x)) return {x, other};
    return {limits::quiet_NaN(), limits::quiet_NaN()};
  }
  if (y == T(0)) {
    if (x < T(0)) return {T(0), complex_numbers::copysign(complex_numbers::sqrt(-x), y)};
    return {complex_numbers::fabs(complex_numbers::sqrt(x)), complex_numbers::copysign(T(0), y)};
  }
  if (x == T(0)) {
    const T size = complex_numbers::fabs(y);
    const T both = size >= 2 * limits::min() ? complex_numbers::sqrt(size / 2)
                                             : complex_numbers::sqrt(2 * size) / 2;
    return {both, complex_numbers::copysign(both, y)};
  }
  int bits = 0;
  if (complex_numbers::fabs(x) > limits::max() / 4) {
    bits = 1;
    x = scaled(x, -2);
    y = scaled(y, -2);
  } else if (complex_numbers::fabs(y) > limits::max() / 4) {
    bits = 1;
    x = complex_numbers::fabs(x) >= 4 * limits::min() ? scaled(x, -2) : T(0);
    y = scaled(y, -2);
  } else if (complex_numbers::fabs(x) < 2 * limits::min() &&
             complex_numbers::fabs(y) < 2 * limits::min()) {
    bits = -((limits::digits + 1) / 2);
    x = scaled(x, -2 * bits);
    y = scaled(y, -2 * bits);
  }
  const T size = complex_numbers::hypot(x, y);
  T made = 0, other = 0;
  if (x > T(0)) {
    made = complex_numbers::sqrt((size + x) / 2);
    other = y / made / 2;
  } else {
    other = complex_numbers::sqrt((size - x) / 2);
    made = complex_numbers::fabs(y / other / 2);
  }
  if (bits != 0) {
    made = scaled(made, bits);
    other = scaled(other, bits);
  }
  return {made, complex_numbers::copysign(other, y)};
}

}  // namespace channels::complex_numbers
