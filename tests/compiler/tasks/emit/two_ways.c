// Each way through a branch opens the frame for itself, and a way without spawns needs none.
// RUN: %cilk2chan-tasks --emit=source --no-line %s | grep -v CHECK | FileCheck %s
#include <cilk/cilk.h>

// CHECK: enter(Lane& lane, const arguments& args) {
// CHECK-NEXT: if (args.n > 1) {
// CHECK-NEXT: frame* f = lane.template open<fib_task>(2);
// CHECK-NEXT: if (f == nullptr) return lane.retry();
// CHECK-NEXT: (void)lane.template spawn<fib_task>(&f->x, {args.n - 1});
// CHECK-NEXT: (void)lane.template spawn<fib_task>(&f->y, {args.n - 2});
// CHECK-NEXT: return lane.sync(1);
// CHECK-NEXT: }
// CHECK-NEXT: return lane.finish(args.n);
// CHECK: resume(Lane& lane, frame& f, std::uint32_t) {
// CHECK-NEXT: return lane.finish(f.x + f.y);
int fib(int n) {
  if (n > 1) {
    int x = cilk_spawn fib(n - 1);
    int y = fib(n - 2);
    cilk_sync;
    return x + y;
  }
  return n;
}
