// What has an effect must not run twice: the frame is opened before it.
// RUN: %cilk2chan-tasks --emit=source --no-line %s | grep -v CHECK | FileCheck %s
#include <cilk/cilk.h>

int counter;

// CHECK: enter(Lane& lane, const arguments& args) {
// CHECK-NEXT: if (args.n < 2) return lane.finish(args.n);
// CHECK-NEXT: frame* f = lane.template open<work_task>(1);
// CHECK-NEXT: if (f == nullptr) return lane.retry();
// CHECK-NEXT: counter++;
// CHECK-NEXT: (void)lane.template spawn<work_task>(&f->x, {args.n - 1});
// CHECK-NEXT: return lane.sync(1);
int work(int n) {
  if (n < 2) return n;
  counter++;
  int x = cilk_spawn work(n - 1);
  cilk_sync;
  return x;
}
