// Which functions are written twice: those that call themselves, whose spawns are in no loop, and whose text may stand
// twice in a file.
// RUN: %cilk2chan --emit=source --no-line %s 2>/dev/null | grep -v CHECK | FileCheck %s
#include <cilk/cilk.h>
int g(int n);
// CHECK: static int twice_giving(
// CHECK: static int twice(int n) { if (channels_cilk_shallow()) return twice_giving(n);
static int twice(int n) { if (n > 1) { int x = cilk_spawn twice(n - 1); cilk_sync; return x; } return n; }
// CHECK: void nothing_giving(
// CHECK: void nothing(int n) { if (channels_cilk_shallow()) { nothing_giving(n); return; }
void nothing(int n) { if (n > 1) { cilk_spawn nothing(n - 1); nothing(n - 2); } }
// CHECK: int old(n) int n; { if (channels_cilk_shallow()) return old_giving(n);{{.*}}
int old(n) int n; { if (n > 1) { cilk_spawn old(n - 1); } return n; }
// CHECK-NOT: {{_giving|if \(channels_cilk_shallow}}
int no_recursion(int n) { cilk_spawn g(n); return g(n + 1); }
int loop(int n) { for (int i = 0; i < n; i++) cilk_spawn loop(i); return n; }
int local(int n) { static int m; cilk_spawn local(n - 1); return n + m; }
int label(int n) { again: cilk_spawn label(n - 1); if (n) goto again; return n; }
int name(int n) { cilk_spawn name(n - 1); return __func__[n]; }
__attribute__((constructor)) void early(void) { cilk_spawn early(); }
static inline int small(int n) { cilk_spawn small(n - 1); return n; }
int condition(int n) {
#if 1
  cilk_spawn condition(n - 1);
#endif
  return n;
}
int any(int n, ...) { cilk_spawn any(n - 1, n); return n; }
