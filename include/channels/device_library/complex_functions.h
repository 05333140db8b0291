#pragma once

/// Operations on complex numbers of C as functions, which plain forms call. In C they are the
/// compiler's own. In the text of tasks, which is C++, they are written out in numbers, as nvcc
/// knows the type, its parts and its copies, and makes no code for what calculates with them.
///
/// `channels_complex_times_real(z, x)` is `z * x`, and so on; names of functions for `float` end
/// with an f. Any lane calls them.

#if defined(__cplusplus)
#include "channels/device_library/complex_numbers.hpp"

extern "C++" {
namespace channels::complex_numbers {

CHANNELS_DEVICE inline double _Complex whole(parts<double> of) {
  double _Complex made;
  __real__ made = of.real;
  __imag__ made = of.imaginary;
  return made;
}
CHANNELS_DEVICE inline float _Complex whole(parts<float> of) {
  float _Complex made;
  __real__ made = of.real;
  __imag__ made = of.imaginary;
  return made;
}
CHANNELS_DEVICE inline parts<double> parts_of(double _Complex z) {
  return {__real__ z, __imag__ z};
}
CHANNELS_DEVICE inline parts<float> parts_of(float _Complex z) { return {__real__ z, __imag__ z}; }

}  // namespace channels::complex_numbers
}

#define CHANNELS_COMPLEX_FUNCTION static CHANNELS_DEVICE inline
/// The result of `OF`, parts of a number, in C++, and of `C` in C.
#define CHANNELS_COMPLEX_RESULT(OF, C)             \
  {                                                \
    using namespace ::channels::complex_numbers;   \
    return ::channels::complex_numbers::whole(OF); \
  }
/// The same for a result that is not complex.
#define CHANNELS_COMPLEX_NUMBER(OF, C)           \
  {                                              \
    using namespace ::channels::complex_numbers; \
    return OF;                                   \
  }
#else
#define CHANNELS_COMPLEX_FUNCTION static inline __attribute__((__unused__))
#define CHANNELS_COMPLEX_RESULT(OF, C) \
  {                                    \
    return C;                          \
  }
#define CHANNELS_COMPLEX_NUMBER(OF, C) \
  {                                    \
    return C;                          \
  }
#endif

/// With a form that stores the result at a place.
#define CHANNELS_COMPLEX_TWO(R, F, NAME, OF, C)                                                \
  CHANNELS_COMPLEX_FUNCTION R _Complex channels_complex_##NAME##F(R _Complex a, R _Complex b)  \
      CHANNELS_COMPLEX_RESULT(OF, C)                                                           \
          CHANNELS_COMPLEX_FUNCTION R _Complex channels_complex_##NAME##_to##F(R _Complex* at, \
                                                                               R _Complex b) { \
    return *at = channels_complex_##NAME##F(*at, b);                                           \
  }
#define CHANNELS_COMPLEX_WITH_REAL(R, F, NAME, OF, C)                                       \
  CHANNELS_COMPLEX_FUNCTION R _Complex channels_complex_##NAME##_real##F(R _Complex a, R b) \
      CHANNELS_COMPLEX_RESULT(OF, C)                                                        \
          CHANNELS_COMPLEX_FUNCTION R _Complex channels_complex_##NAME##_real_to##F(        \
              R _Complex* at, R b) {                                                        \
    return *at = channels_complex_##NAME##_real##F(*at, b);                                 \
  }
#define CHANNELS_COMPLEX_OF_REAL(R, F, NAME, OF, C)                                       \
  CHANNELS_COMPLEX_FUNCTION R _Complex channels_complex_real_##NAME##F(R a, R _Complex b) \
      CHANNELS_COMPLEX_RESULT(OF, C)
#define CHANNELS_COMPLEX_ONE(R, F, NAME, OF, C)                                 \
  CHANNELS_COMPLEX_FUNCTION R _Complex channels_complex_##NAME##F(R _Complex a) \
      CHANNELS_COMPLEX_RESULT(OF, C)
#define CHANNELS_COMPLEX_TO_REAL(R, F, NAME, OF, C)                    \
  CHANNELS_COMPLEX_FUNCTION R channels_complex_##NAME##F(R _Complex a) \
      CHANNELS_COMPLEX_NUMBER(OF, C)

// clang-format off
#define CHANNELS_COMPLEX(R, F)                                                                     \
  CHANNELS_COMPLEX_FUNCTION R _Complex channels_complex_made##F(R a, R b)                          \
      CHANNELS_COMPLEX_RESULT((parts<R>{a, b}), __builtin_complex(a, b))                           \
  CHANNELS_COMPLEX_FUNCTION R _Complex channels_complex_of##F(R a)                                 \
      CHANNELS_COMPLEX_RESULT((parts<R>{a, 0}), a)                                                 \
  CHANNELS_COMPLEX_TO_REAL(R, F, real, __real__ a, __real__ a)                                     \
  CHANNELS_COMPLEX_TO_REAL(R, F, imag, __imag__ a, __imag__ a)                                     \
  CHANNELS_COMPLEX_FUNCTION int channels_complex_is##F(R _Complex a)                               \
      CHANNELS_COMPLEX_NUMBER(__real__ a != 0 || __imag__ a != 0, a ? 1 : 0)                       \
  CHANNELS_COMPLEX_FUNCTION int channels_complex_equal##F(R _Complex a, R _Complex b)              \
      CHANNELS_COMPLEX_NUMBER(__real__ a == __real__ b && __imag__ a == __imag__ b, a == b)        \
  CHANNELS_COMPLEX_ONE(R, F, negated, (parts<R>{-__real__ a, -__imag__ a}), -a)                    \
  CHANNELS_COMPLEX_ONE(R, F, conj, (parts<R>{__real__ a, -__imag__ a}), ~a)                        \
  CHANNELS_COMPLEX_TWO(R, F, plus,                                                                 \
      (parts<R>{__real__ a + __real__ b, __imag__ a + __imag__ b}), a + b)                         \
  CHANNELS_COMPLEX_WITH_REAL(R, F, plus, (parts<R>{__real__ a + b, __imag__ a}), a + b)            \
  CHANNELS_COMPLEX_OF_REAL(R, F, plus, (parts<R>{a + __real__ b, __imag__ b}), a + b)              \
  CHANNELS_COMPLEX_TWO(R, F, minus,                                                                \
      (parts<R>{__real__ a - __real__ b, __imag__ a - __imag__ b}), a - b)                         \
  CHANNELS_COMPLEX_WITH_REAL(R, F, minus, (parts<R>{__real__ a - b, __imag__ a}), a - b)           \
  CHANNELS_COMPLEX_OF_REAL(R, F, minus, (parts<R>{a - __real__ b, -__imag__ b}), a - b)            \
  CHANNELS_COMPLEX_TWO(R, F, times, product(parts_of(a), parts_of(b)), a * b)                      \
  CHANNELS_COMPLEX_TWO(R, F, times_limited, limited_product(parts_of(a), parts_of(b)), a * b)      \
  CHANNELS_COMPLEX_WITH_REAL(R, F, times, (parts<R>{__real__ a * b, __imag__ a * b}), a * b)       \
  CHANNELS_COMPLEX_OF_REAL(R, F, times, (parts<R>{a * __real__ b, a * __imag__ b}), a * b)         \
  CHANNELS_COMPLEX_TWO(R, F, over, quotient(parts_of(a), parts_of(b)), a / b)                      \
  CHANNELS_COMPLEX_TWO(R, F, over_limited, limited_quotient(parts_of(a), parts_of(b)), a / b)      \
  CHANNELS_COMPLEX_WITH_REAL(R, F, over, (parts<R>{__real__ a / b, __imag__ a / b}), a / b)        \
  CHANNELS_COMPLEX_TO_REAL(R, F, abs, length(parts_of(a)), __builtin_cabs##F(a))                   \
  CHANNELS_COMPLEX_TO_REAL(R, F, arg, angle(parts_of(a)), __builtin_carg##F(a))                    \
  CHANNELS_COMPLEX_ONE(R, F, proj, projected(parts_of(a)), __builtin_cproj##F(a))                  \
  CHANNELS_COMPLEX_ONE(R, F, exp, exponential(parts_of(a)), __builtin_cexp##F(a))                  \
  CHANNELS_COMPLEX_ONE(R, F, log, logarithm(parts_of(a)), __builtin_clog##F(a))                    \
  CHANNELS_COMPLEX_ONE(R, F, sqrt, root(parts_of(a)), __builtin_csqrt##F(a))                       \
  CHANNELS_COMPLEX_TWO(R, F, pow, power(parts_of(a), parts_of(b)), __builtin_cpow##F(a, b))
CHANNELS_COMPLEX(double, )
CHANNELS_COMPLEX(float, f)
CHANNELS_COMPLEX_FUNCTION float _Complex channels_complex_narrow(double _Complex a)
    CHANNELS_COMPLEX_RESULT((parts<float>{(float)__real__ a, (float)__imag__ a}), a)
CHANNELS_COMPLEX_FUNCTION double _Complex channels_complex_wide(float _Complex a)
    CHANNELS_COMPLEX_RESULT((parts<double>{__real__ a, __imag__ a}), a)
// clang-format on

#undef CHANNELS_COMPLEX
#undef CHANNELS_COMPLEX_TWO
#undef CHANNELS_COMPLEX_WITH_REAL
#undef CHANNELS_COMPLEX_OF_REAL
#undef CHANNELS_COMPLEX_ONE
#undef CHANNELS_COMPLEX_TO_REAL
#undef CHANNELS_COMPLEX_RESULT
#undef CHANNELS_COMPLEX_NUMBER
#undef CHANNELS_COMPLEX_FUNCTION
