// What comes from the user's file says from which line.
// RUN: cd %S && %cilk2chan-tasks --emit=source lines.c | grep -v CHECK | FileCheck %s
#include <cilk/cilk.h>

int fib(int n) {
  // CHECK: #line [[@LINE+2]] "lines.c"
  // CHECK-NEXT: if (args.n < 2) return lane.finish(args.n);
  if (n < 2) return n;
  // The lines between are the tool's own.
  // CHECK: (void)lane.template spawn<fib_task>(&f->x, {args.n - 1});
  int x = cilk_spawn fib(n - 1);
  cilk_sync;
  // CHECK: #line [[@LINE+2]] "lines.c"
  // CHECK-NEXT: return lane.finish(f.x);
  return x;
}
// CHECK: {{^}}#line [[@LINE-1]] "lines.c"
int after(void) { return 1; }
