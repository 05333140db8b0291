// Conversions that C makes by itself are written out for C++, in tasks and elsewhere.
// RUN: %cilk2chan-tasks --emit=source --no-line %s | grep -v CHECK | FileCheck %s
#include <cilk/cilk.h>
#include <stdlib.h>

enum color { RED, GREEN };

// CHECK: extern "C" int* make(int n) {
int* make(int n) {
  // CHECK-NEXT: int* p = (int *)malloc(n * sizeof *p);
  int* p = malloc(n * sizeof *p);
  // CHECK-NEXT: enum color c = (enum color)(n > 1);
  enum color c = n > 1;
  // CHECK-NEXT: if (c) return (int *)((void*)0);
  if (c) return (void*)0;
  return p;
}

// CHECK: static int hidden(void)
static int hidden(void) { return 1; }

// CHECK: result_type = int *;
int* outer(void* from, int n) {
  // CHECK: if (args.n == 0) return lane.finish((int *)args.from);
  if (n == 0) return from;
  int* x = cilk_spawn outer(from, n - 1);
  cilk_sync;
  return x + hidden();
}
