// Lines stay where they are: what stands before a function says where the function is.
// RUN: cd %S && %cilk2chan --emit=source lines.c | grep -v CHECK | FileCheck %s
// RUN: cd %S && %cilk2chan -O0 -g lines.c -o %t
// RUN: env CHANNELS_CUS=1 gdb -batch -ex 'break lines.c:27' -ex run -ex 'print n' %t 2>&1 | FileCheck --check-prefix=GDB %s
#include <cilk/cilk.h>

// CHECK: #line 1 "lines.c"
// CHECK: #line 1 "<cilk2chan>"
// CHECK: struct outer_spawn_1 {
// Both copies stand where the function does, and a breakpoint stops in either.
// CHECK: #line [[@LINE+8]] "lines.c"
// CHECK-NEXT: int outer_giving(
// CHECK-NOT: #line
// CHECK: return x + y;
// CHECK-NEXT: }
// CHECK-NEXT: #line 1 "<cilk2chan>"
// CHECK-NEXT: #line [[@LINE+2]] "lines.c"
// CHECK-NEXT: int outer(
int outer(int n) {
  if (n < 2) return 1;
  int x = cilk_spawn outer(
      n - 1
  ),
      y = 3;
  cilk_sync;
  // CHECK-NOT: #line
  return x + y;
}
// CHECK: int main(void)
int main(void) { return outer(4) - 10; }
// GDB: Breakpoint 1{{[.0-9]*}}, outer{{(_giving)?}} (n=2) at {{.*}}lines.c:27
// GDB: $1 = 2
