// A sanitizer's report about a task names the line of the Cilk source.
// RUN: %cilk2chan -O1 -g -fsanitize=address,undefined %s -o %t
// RUN: env CHANNELS_ORDER=channels %t 7 2>&1 | FileCheck %s
// RUN: not env CHANNELS_ORDER=channels %t 8 2>&1 | FileCheck --check-prefix=REPORT %s
// RUN: not env CHANNELS_ORDER=depth-first %t 8 2>&1 | FileCheck --check-prefix=REPORT %s
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

static int last(const int* a, int n) {
  if (n == 0) {
    // REPORT: AddressSanitizer: heap-buffer-overflow
    // REPORT: #{{[01] .*}}sanitized_task.c:[[@LINE+1]]
    return a[0];
  }
  int x = cilk_spawn last(a + 1, n - 1);
  cilk_sync;
  return x;
}

int main(int argc, char** argv) {
  int* a = calloc(8, sizeof *a);
  if (argc < 2) return 1;
  // CHECK: 0
  // CHECK-NOT: stays
  printf("%d\n", last(a, atoi(argv[1])));
  free(a);
  return 0;
}
