#pragma once

/// C's <complex.h> for a C program that is compiled as C++, where that header is C++'s <complex>.

// The program includes <complex.h> once more, which would take the word away then.
#undef _GLIBCXX_COMPLEX
#undef complex
#define complex _Complex
#undef _Complex_I
#define _Complex_I (::channels::cilk::imaginary_unit())
#undef I
#define I _Complex_I

namespace channels::cilk {

// C++ has no literal that all of its compilers read so.
inline float _Complex imaginary_unit() {
  float _Complex made;
  __real__ made = 0;
  __imag__ made = 1;
  return made;
}

}  // namespace channels::cilk

extern "C" {
#define CHANNELS_C_COMPLEX(REAL, SUFFIX)                    \
  REAL cabs##SUFFIX(_Complex REAL);                         \
  REAL carg##SUFFIX(_Complex REAL);                         \
  REAL creal##SUFFIX(_Complex REAL);                        \
  REAL cimag##SUFFIX(_Complex REAL);                        \
  _Complex REAL conj##SUFFIX(_Complex REAL);                \
  _Complex REAL cproj##SUFFIX(_Complex REAL);               \
  _Complex REAL cexp##SUFFIX(_Complex REAL);                \
  _Complex REAL clog##SUFFIX(_Complex REAL);                \
  _Complex REAL csqrt##SUFFIX(_Complex REAL);               \
  _Complex REAL cpow##SUFFIX(_Complex REAL, _Complex REAL); \
  _Complex REAL csin##SUFFIX(_Complex REAL);                \
  _Complex REAL ccos##SUFFIX(_Complex REAL);                \
  _Complex REAL ctan##SUFFIX(_Complex REAL);                \
  _Complex REAL csinh##SUFFIX(_Complex REAL);               \
  _Complex REAL ccosh##SUFFIX(_Complex REAL);               \
  _Complex REAL ctanh##SUFFIX(_Complex REAL);               \
  _Complex REAL casin##SUFFIX(_Complex REAL);               \
  _Complex REAL cacos##SUFFIX(_Complex REAL);               \
  _Complex REAL catan##SUFFIX(_Complex REAL);               \
  _Complex REAL casinh##SUFFIX(_Complex REAL);              \
  _Complex REAL cacosh##SUFFIX(_Complex REAL);              \
  _Complex REAL catanh##SUFFIX(_Complex REAL);
CHANNELS_C_COMPLEX(double, )
CHANNELS_C_COMPLEX(float, f)
CHANNELS_C_COMPLEX(long double, l)
#undef CHANNELS_C_COMPLEX
}
