// What is said of tasks for the sake of GPUs: whether children may be given pointers into the frame, and whether the way
// that spawns nothing is short.
// RUN: %cilk2chan --emit=tasks %s | FileCheck %s
#include <cilk/cilk.h>

static int twice(int n) { return 2 * n; }
int many(int n);

// CHECK: {{^}}struct plain_task {
// CHECK: {{^}}  static constexpr bool shares_frame = false;
// CHECK-NEXT: {{^}}  static constexpr bool results_in_frame = true;
// CHECK-NEXT: {{^}}  static constexpr bool quick_leaves = true;
int plain(int n) {
  if (n < 2) return twice(n);
  int x = cilk_spawn plain(n - 1);
  int y = plain(n - 2);
  cilk_sync;
  return x + y;
}
// A child gets the address of a variable.
// CHECK: {{^}}struct shares_task {
// CHECK-NOT: {{^}}  static constexpr bool shares_frame
// CHECK: {{^}}  static constexpr bool quick_leaves = true;
void shares(int n, int* result) {
  if (n < 2) {
    *result = n;
    return;
  }
  int x, y;
  cilk_spawn shares(n - 1, &x);
  shares(n - 2, &y);
  cilk_sync;
  *result = x + y;
}
// A result smaller than a word is no whole one in the frame.
// CHECK: {{^}}struct small_task {
// CHECK-NOT: {{^}}  static constexpr bool shares_frame
// CHECK: {{^}}  template
char small(int n) {
  if (n == 0) return 1;
  char x = cilk_spawn small(n - 1);
  char y = cilk_spawn small(n - 1);
  cilk_sync;
  return (char)(x + y);
}
// CHECK: {{^}}struct loops_task {
// CHECK: {{^}}  static constexpr bool shares_frame = false;
// CHECK-NOT: {{^}}  static constexpr bool quick_leaves
// CHECK: {{^}}  template
long loops(int n) {
  long sum = 0;
  if (n < 2) {
    for (int i = 0; i < 100; i++) sum += i;
    return sum;
  }
  long x = cilk_spawn loops(n - 1);
  long y = loops(n - 2);
  cilk_sync;
  return x + y + sum;
}
// A call of what may be long.
// CHECK: {{^}}struct calls_task {
// CHECK-NOT: {{^}}  static constexpr bool quick_leaves
// CHECK: {{^}}  template
long calls(int n) {
  if (n < 2) return many(n);
  long x = cilk_spawn calls(n - 1);
  long y = calls(n - 2);
  cilk_sync;
  return x + y;
}
// A result that goes elsewhere.
// CHECK: {{^}}struct elsewhere_task {
// CHECK-NOT: {{^}}  static constexpr bool results_in_frame
// CHECK: {{^}}  template
void elsewhere(int n, int* result) {
  if (n < 2) return;
  result[0] = cilk_spawn plain(n - 1);
  elsewhere(n - 2, result + 1);
  cilk_sync;
}
// There is no way without a spawn.
// CHECK: {{^}}struct always_task {
// CHECK-NOT: {{^}}  static constexpr bool quick_leaves
// CHECK: {{^}}  template
long always(int n) {
  long x = cilk_spawn plain(n);
  long y = plain(n);
  cilk_sync;
  return x + y;
}
