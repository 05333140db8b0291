// Sanitizers look at the user's lines, and find nothing that the program did not do.
// RUN: %cilk2chan -O1 -g -fsanitize=address,undefined %s -o %t
// RUN: env CHANNELS_CUS=2 CHANNELS_GIVE=always %t 5 | FileCheck %s
// RUN: not env CHANNELS_CUS=2 CHANNELS_GIVE=always %t 9 2>&1 | FileCheck --check-prefix=REPORT %s
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

static int leaf(const int* a, int n) {
  // REPORT: AddressSanitizer: stack-buffer-overflow
  // REPORT: in leaf {{.*}}sanitized.c:[[@LINE+1]]
  return a[n];
}
static int jumps(int n) {
  int x = cilk_spawn leaf(&n, 0);
  if (n == 3) goto end;
  int y;
  y = cilk_spawn leaf(&n, 0);
  cilk_sync;
  x += y;
end:
  cilk_sync;
  return x;
}
static int outer(int n) {
  int a[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  int x = cilk_spawn leaf(a, n);
  int y = cilk_spawn leaf(a, 1);
  if (n == 3) return 3;
  cilk_sync;
  return x + y;
}
int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 5;
  // CHECK: 3 8 10
  printf("%d %d %d\n", outer(3), outer(n), jumps(n));
  return 0;
}
