// A cilk_for in C: the function that its body becomes, and what stands in its place.
// RUN: %cilk2chan --emit=source --no-line %s | grep -v CHECK | FileCheck %s
#include <cilk/cilk.h>

// CHECK: struct scale_for_1 {
// CHECK-NEXT:   int cilk_first;
// CHECK-NEXT:   __INT64_TYPE__ cilk_step;
// CHECK-NEXT:   double *a;
// CHECK-NEXT:   double factor;
// CHECK-NEXT:   int *cilk_at_last;
// CHECK-NEXT: };
// CHECK-NEXT: static void scale_for_1_run(void* closure, __UINT64_TYPE__ cilk_begin, __UINT64_TYPE__ cilk_end) {
// CHECK-NEXT:   struct scale_for_1* const cilk_loop = (struct scale_for_1*)closure;
// CHECK-NEXT:   double *a = cilk_loop->a;
// CHECK-NEXT:   double factor = cilk_loop->factor;
// CHECK-NEXT:   int *cilk_at_last = cilk_loop->cilk_at_last;
// CHECK-NEXT:   for (int i = (int)((__UINT64_TYPE__)cilk_loop->cilk_first + cilk_begin * (__UINT64_TYPE__)cilk_loop->cilk_step); cilk_begin != cilk_end; ++cilk_begin, i += (int)cilk_loop->cilk_step)
// CHECK-NEXT: {
// CHECK-NEXT:     a[i] *= factor;
// CHECK-NEXT:     if (i == 8) (*cilk_at_last) = i;
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NEXT: int scale(double* a, int n, double factor) {
int scale(double* a, int n, double factor) {
  int last = 0;
#pragma cilk grainsize = 4 * n
  // CHECK: { int i = 0; const __typeof__((n) + 0) cilk_limit = n; const __INT64_TYPE__ cilk_step = (__INT64_TYPE__)(2); struct scale_for_1 cilk_loop = {.cilk_first = i, .cilk_step = cilk_step, .a = a, .factor = factor, .cilk_at_last = &last}; channels_cilk_for(CHANNELS_CILK_TRIPS(i <= cilk_limit, (__UINT64_TYPE__)cilk_limit - (__UINT64_TYPE__)i + 1, cilk_step), 4 * n, scale_for_1_run, &cilk_loop); }
  cilk_for (int i = 0; i <= n; i += 2) {
    a[i] *= factor;
    if (i == 8) last = i;
  }
  return last;
}
