// A spawn in a loop can find no room: it is a point to come back to, and what it needs then is in the frame. This one
// does no more than add up what its children return, which lanes of a GPU do themselves: what they need not know comes last.
// RUN: %cilk2chan-tasks --emit=source --no-line %s | grep -v CHECK | FileCheck %s
#include <cilk/cilk.h>

// CHECK: struct frame {
// CHECK-NEXT: int n;
// CHECK-NEXT: int i;
// CHECK-NEXT: int results[8];
// CHECK-NEXT: };
// CHECK: spawn_bound = channels::unbounded;
// CHECK: sums_up = true;
// CHECK-NEXT: kept_frame = __builtin_offsetof(frame, results);
// CHECK: enter(
// CHECK-NEXT: if (args.n == 0) return lane.finish(1);
// CHECK-NEXT: frame* f = lane.open();
// CHECK-NEXT: if (f == nullptr) return lane.retry();
// CHECK-NEXT: f->n = args.n;
// CHECK-NEXT: if constexpr (channels::adds_results<Lane>) return lane.sync(1);
// CHECK-NEXT: return resume(lane, *f, 1);
// CHECK: resume(
// CHECK-NEXT: switch (point) {
// CHECK-NEXT: case 1:
// CHECK-NEXT: f.i = 0;
// CHECK-NEXT: for (; f.i < f.n; ++f.i) {
// CHECK-NEXT: case 2:
// CHECK-NEXT: if (!lane.template spawn<count_task>(&f.results[f.i], {f.i})) return lane.yield(2);
// CHECK-NEXT: }
// CHECK-NEXT: return lane.sync(3);
// CHECK-NEXT: case 3:;
// CHECK-NEXT: int sum = 0;
// CHECK-NEXT: if constexpr (!channels::adds_results<Lane>) {
// CHECK-NEXT: for (int i = 0; i < f.n; ++i) sum += f.results[i];
// CHECK-NEXT: }
// CHECK-NEXT: return lane.finish(sum);
int count(int n) {
  int results[8];
  if (n == 0) return 1;
  for (int i = 0; i < n; ++i) {
    results[i] = cilk_spawn count(i);
  }
  cilk_sync;
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += results[i];
  return sum;
}
