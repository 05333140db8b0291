// Tasks for other devices: what these cannot do is refused by name, and the rest is not there yet.
// RUN: rm -rf %t && mkdir -p %t/cuda/bin && printf '#!/bin/sh\n' > %t/cuda/bin/nvcc && chmod +x %t/cuda/bin/nvcc
// RUN: %native -DFINE --device=host %s -o %t/host && %t/host
// RUN: %native-refuse --device=host,toaster %s | FileCheck --check-prefix=UNKNOWN %s
// UNKNOWN: error: '--device': there is no device 'toaster'; there are host, cuda and hip
// RUN: %native-refuse --device=cuda --cuda-path=%t/nothing -DFINE %s | FileCheck --check-prefix=NO-NVCC %s
// NO-NVCC: error: '--cuda-path={{.*}}/nothing': there is no bin/nvcc in it
// RUN: env CUDA_HOME=%t/nothing %native-refuse --device=cuda -DFINE %s | FileCheck --check-prefix=NO-HOME %s
// NO-HOME: error: CUDA_HOME is '{{.*}}/nothing': there is no bin/nvcc in it
// RUN: %native-refuse --device=host,cuda --cuda-path=%t/cuda -O3 -g -DFINE %s | FileCheck --check-prefix=NOT-YET %s
// NOT-YET: error: '--device=cuda': the runtime does not run on such devices yet
// NOT-YET: note: the tasks of '{{.*}}device.c' are for this command: {{.*}}/cuda/bin/nvcc -x cu -std=c++20 {{.*}}-DFINE -O3 -g -c -o
// RUN: %native-refuse --device=cuda --cuda-path=%t/cuda %s | FileCheck %s
#include <cilk/cilk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int total;
static const int weights[2] = {1, 2};
int elsewhere(int n);

static int on_device(int n) {
  char text[8];
  memset(text, 0, sizeof text);
  return (int)sqrt(n * 4.0) + weights[n & 1] + abs(n) + (int)floorf(1.5F) + text[0];
}

#ifndef FINE
static int on_host(int n) {
  // CHECK: device.c:[[@LINE+2]]:3: error: 'total', which a task uses, is a variable of the host
  // CHECK: note: pass a pointer
  total += n;
  // CHECK: device.c:[[@LINE+1]]:{{[0-9]+}}: error: 'getenv', which a task calls, has no code for the device
  return getenv("HOME") != NULL;
}
#else
static int on_host(int n) { return n; }
#endif

int tree(int n, int (*pointer)(int)) {
  if (n == 0) {
    (void)pointer;
#ifndef FINE
    // CHECK: device.c:[[@LINE+1]]:{{[0-9]+}}: error: a task calls a function that is only known when the program runs
    n = pointer(n);
#endif
    return on_device(n) + on_host(n);
  }
  int x = cilk_spawn tree(n - 1, pointer);
#ifndef FINE
  // CHECK: device.c:[[@LINE+1]]:{{[0-9]+}}: error: 'elsewhere', which a task calls, has no code for the device
  int y = cilk_spawn elsewhere(n);
#endif
  cilk_sync;
  return x;
}
int elsewhere(int n);

int main(void) { return tree(0, abs) + total < 0; }
#ifndef FINE
// CHECK-NOT: error:
#endif
