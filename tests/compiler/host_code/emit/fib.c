// A function that spawns itself, in C: what stands before it, and its two copies.
// RUN: %cilk2chan --emit=source --no-line %s | grep -v -e CHECK -e guards | FileCheck --match-full-lines %s
// CHECK: #define CHANNELS_CILK_HOST_CODE 1
// CHECK: #include <cilk/cilk.h>
#include <cilk/cilk.h>

// CHECK: long fib(int n);
// CHECK-NEXT: struct fib_spawn_1 {
// CHECK-NEXT:   long *cilk_result;
// CHECK-NEXT:   int n;
// CHECK-NEXT: };
// CHECK-NEXT: static void fib_spawn_1_run(void* cilk_closure) {
// CHECK-NEXT:   struct fib_spawn_1* const cilk_child = (struct fib_spawn_1*)cilk_closure;
// CHECK-NEXT:   *cilk_child->cilk_result = fib(cilk_child->n);
// CHECK-NEXT: }
// CHECK-NEXT: static CHANNELS_CILK_COLD void fib_spawn_1(channels_cilk_frame* cilk_frame, long *cilk_result, int n) {
// CHECK-NEXT:   struct fib_spawn_1 cilk_child = {.cilk_result = cilk_result, .n = n};
// CHECK-NEXT:   channels_cilk_give(cilk_frame, fib_spawn_1_run, 0, &cilk_child, sizeof cilk_child);
// CHECK-NEXT: }
// CHECK-NEXT: CHANNELS_CILK_GIVING static
// CHECK-NEXT: long fib_giving(int n) { CHANNELS_CILK_FRAME;
// CHECK-NEXT:   if (n < 2) return n;
// A sanitizer wants guards behind variables.
// CHECK-NEXT: long x; channels_cilk_hungry(&cilk_frame) ? fib_spawn_1(&cilk_frame, &x, n - 1) : (void)(x = fib(n - 1));{{( CHANNELS_CILK_GUARD.cilk_guard_[0-9]+.;)?}}
// CHECK-NEXT: long y = fib(n - 2);{{( CHANNELS_CILK_GUARD.cilk_guard_[0-9]+.;)?}}
// CHECK-NEXT: channels_cilk_sync(&cilk_frame);
// CHECK-NEXT: return x + y;
// CHECK: long fib(int n) { if (channels_cilk_shallow()) return fib_giving(n);
long fib(int n) {
  // CHECK-NEXT: if (n < 2) return n;
  if (n < 2) return n;
  // CHECK-NEXT: long x = cilk_spawn fib(n - 1);
  long x = cilk_spawn fib(n - 1);
  // CHECK-NEXT: long y = fib(n - 2);
  long y = fib(n - 2);
  // CHECK-NEXT: cilk_sync;
  cilk_sync;
  // CHECK-NEXT: return x + y;
  return x + y;
}
