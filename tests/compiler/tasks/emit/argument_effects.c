// Arguments with effects are computed once: the room is made sure of before.
// RUN: %cilk2chan-tasks --emit=source --no-line %s | grep -v CHECK | FileCheck %s
#include <cilk/cilk.h>

void work(int n) {
  while (n > 0) {
    // CHECK: if (!lane.template reserve<work_task>(1)) return lane.yield(2);
    // CHECK-NEXT: (void)lane.template spawn<work_task>({--f.n});
    cilk_spawn work(--n);
  }
}
