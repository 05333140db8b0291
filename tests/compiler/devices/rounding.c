// Host and device round alike, to the last bit: a product and a sum are one operation on neither by default, and on both
// if the user wants it. Options of floating point reach the device's compiler as it knows them.
// RUN: %cilk2chan -O0 -march=native --device=host,emulated %s -o %t.out
// RUN: env CHANNELS_DEVICE=host %t.out 1.1 3.7 | FileCheck %s
// RUN: env CHANNELS_DEVICE=emulated %t.out 1.1 3.7 | FileCheck %s
// CHECK: error of the product: 0x0p+0
// RUN: %cilk2chan -O0 -march=native --device=host,emulated -ffp-contract=on %s -o %t.on
// RUN: env CHANNELS_DEVICE=host %t.on 1.1 3.7 > %t.host && env CHANNELS_DEVICE=emulated %t.on 1.1 3.7 > %t.device && diff %t.host %t.device

// RUN: rm -rf %t && mkdir -p %t/bin && printf '#!/bin/sh\necho "$@" >&2\nexit 1\n' > %t/bin/nvcc && chmod +x %t/bin/nvcc
// RUN: env CHANNELS_CACHE= %host-code-refuse --device=cuda --cuda-path=%t %s | FileCheck --check-prefix=ALIKE %s
// ALIKE: --fmad=false -c -o
// RUN: env CHANNELS_CACHE= %host-code-refuse --device=cuda --cuda-path=%t -ffp-contract=on %s | FileCheck --check-prefix=CONTRACT %s
// CONTRACT: --fmad=true -c -o
// RUN: env CHANNELS_CACHE= %host-code-refuse --device=cuda --cuda-path=%t -ffp-contract=fast -ffp-contract=off %s | FileCheck --check-prefix=ALIKE %s
// RUN: env CHANNELS_CACHE= %host-code-refuse --device=cuda --cuda-path=%t -ffast-math %s | FileCheck --check-prefix=FAST %s
// FAST: --use_fast_math -c -o
// RUN: env CHANNELS_CACHE= %host-code-refuse --device=cuda --cuda-path=%t -Ofast %s | FileCheck --check-prefix=OFAST %s
// OFAST: --use_fast_math -c -o
// RUN: env CHANNELS_CACHE= %host-code-refuse --device=cuda --cuda-path=%t -ffast-math -fno-fast-math %s | FileCheck --check-prefix=ALIKE %s
// RUN: env CHANNELS_CACHE= %host-code-refuse --device=cuda --cuda-path=%t -ffast-math -ffp-contract=off %s | FileCheck --check-prefix=SINGLE %s
// SINGLE: --fmad=false --ftz=true --prec-div=false --prec-sqrt=false -c -o
// RUN: env CHANNELS_CACHE= %host-code-refuse --device=cuda --cuda-path=%t -Os -freciprocal-math %s | FileCheck --check-prefix=RECIPROCAL %s
// RECIPROCAL: --fmad=false --prec-div=false -c -o
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

// Once with one rounding, if the two are one operation, and once with two.
static double error_of(double a, double b) {
  volatile double product = a * b;
  return a * b - product;
}
void all(double* out, double a, double b, int n) {
  if (n == 1) {
    *out = error_of(a, b);
    return;
  }
  cilk_spawn all(out, a, b, n / 2);
  all(out + n / 2, a, b, n - n / 2);
  cilk_sync;
}
int main(int argc, char** argv) {
  double out[4];
  all(out, atof(argv[1]), atof(argv[2]), 4);
  printf("error of the product: %a\n", out[3]);
  return 0;
}
