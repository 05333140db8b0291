#pragma once

#include <math.h>   // the functions of C
#include <cmath>    // for CUDA, which has some functions only so
#include <cstdlib>  // abs

#include "channels/config.hpp"

/// The mathematics of a C program that is compiled as C++. There `sqrt` of a `float` is another
/// function, which rounds otherwise, and `abs` of a `long` another one again: here they have the
/// parameters that C gives them. cilk2chan defines the names that a program calls as these.

CHANNELS_DEVICE inline int channels_c_abs(int x) { return ::abs(x); }
CHANNELS_DEVICE inline double channels_c_acos(double x) { return ::acos(x); }
CHANNELS_DEVICE inline double channels_c_acosh(double x) { return ::acosh(x); }
CHANNELS_DEVICE inline double channels_c_asin(double x) { return ::asin(x); }
CHANNELS_DEVICE inline double channels_c_asinh(double x) { return ::asinh(x); }
CHANNELS_DEVICE inline double channels_c_atan(double x) { return ::atan(x); }
CHANNELS_DEVICE inline double channels_c_atan2(double x, double y) { return ::atan2(x, y); }
CHANNELS_DEVICE inline double channels_c_atanh(double x) { return ::atanh(x); }
CHANNELS_DEVICE inline double channels_c_cbrt(double x) { return ::cbrt(x); }
CHANNELS_DEVICE inline double channels_c_ceil(double x) { return ::ceil(x); }
CHANNELS_DEVICE inline double channels_c_copysign(double x, double y) { return ::copysign(x, y); }
CHANNELS_DEVICE inline double channels_c_cos(double x) { return ::cos(x); }
CHANNELS_DEVICE inline double channels_c_cosh(double x) { return ::cosh(x); }
CHANNELS_DEVICE inline double channels_c_erf(double x) { return ::erf(x); }
CHANNELS_DEVICE inline double channels_c_erfc(double x) { return ::erfc(x); }
CHANNELS_DEVICE inline double channels_c_exp(double x) { return ::exp(x); }
CHANNELS_DEVICE inline double channels_c_exp2(double x) { return ::exp2(x); }
CHANNELS_DEVICE inline double channels_c_expm1(double x) { return ::expm1(x); }
CHANNELS_DEVICE inline double channels_c_fabs(double x) { return ::fabs(x); }
CHANNELS_DEVICE inline double channels_c_fdim(double x, double y) { return ::fdim(x, y); }
CHANNELS_DEVICE inline double channels_c_floor(double x) { return ::floor(x); }
CHANNELS_DEVICE inline double channels_c_fma(double x, double y, double z) {
  return ::fma(x, y, z);
}
CHANNELS_DEVICE inline double channels_c_fmax(double x, double y) { return ::fmax(x, y); }
CHANNELS_DEVICE inline double channels_c_fmin(double x, double y) { return ::fmin(x, y); }
CHANNELS_DEVICE inline double channels_c_fmod(double x, double y) { return ::fmod(x, y); }
CHANNELS_DEVICE inline double channels_c_frexp(double x, int* y) { return ::frexp(x, y); }
CHANNELS_DEVICE inline double channels_c_hypot(double x, double y) { return ::hypot(x, y); }
CHANNELS_DEVICE inline int channels_c_ilogb(double x) { return ::ilogb(x); }
CHANNELS_DEVICE inline double channels_c_ldexp(double x, int y) { return ::ldexp(x, y); }
CHANNELS_DEVICE inline double channels_c_lgamma(double x) { return ::lgamma(x); }
CHANNELS_DEVICE inline long long channels_c_llrint(double x) { return ::llrint(x); }
CHANNELS_DEVICE inline long long channels_c_llround(double x) { return ::llround(x); }
CHANNELS_DEVICE inline double channels_c_log(double x) { return ::log(x); }
CHANNELS_DEVICE inline double channels_c_log10(double x) { return ::log10(x); }
CHANNELS_DEVICE inline double channels_c_log1p(double x) { return ::log1p(x); }
CHANNELS_DEVICE inline double channels_c_log2(double x) { return ::log2(x); }
CHANNELS_DEVICE inline double channels_c_logb(double x) { return ::logb(x); }
CHANNELS_DEVICE inline long channels_c_lrint(double x) { return ::lrint(x); }
CHANNELS_DEVICE inline long channels_c_lround(double x) { return ::lround(x); }
CHANNELS_DEVICE inline double channels_c_modf(double x, double* y) { return ::modf(x, y); }
CHANNELS_DEVICE inline double channels_c_nearbyint(double x) { return ::nearbyint(x); }
CHANNELS_DEVICE inline double channels_c_nextafter(double x, double y) { return ::nextafter(x, y); }
CHANNELS_DEVICE inline double channels_c_pow(double x, double y) { return ::pow(x, y); }
CHANNELS_DEVICE inline double channels_c_remainder(double x, double y) { return ::remainder(x, y); }
CHANNELS_DEVICE inline double channels_c_rint(double x) { return ::rint(x); }
CHANNELS_DEVICE inline double channels_c_round(double x) { return ::round(x); }
CHANNELS_DEVICE inline double channels_c_scalbln(double x, long y) { return ::scalbln(x, y); }
CHANNELS_DEVICE inline double channels_c_scalbn(double x, int y) { return ::scalbn(x, y); }
CHANNELS_DEVICE inline double channels_c_sin(double x) { return ::sin(x); }
CHANNELS_DEVICE inline double channels_c_sinh(double x) { return ::sinh(x); }
CHANNELS_DEVICE inline double channels_c_sqrt(double x) { return ::sqrt(x); }
CHANNELS_DEVICE inline double channels_c_tan(double x) { return ::tan(x); }
CHANNELS_DEVICE inline double channels_c_tanh(double x) { return ::tanh(x); }
CHANNELS_DEVICE inline double channels_c_tgamma(double x) { return ::tgamma(x); }
CHANNELS_DEVICE inline double channels_c_trunc(double x) { return ::trunc(x); }
