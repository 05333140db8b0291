// A warning where a spawn's result is surely used before a sync has waited for it; none in doubt.
// RUN: %cilk2chan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %cilk2chan -w -c %s -o %t.o 2>&1 | FileCheck --allow-empty --check-prefix=SILENT %s
// RUN: %host-code-refuse -Werror -c %s | FileCheck --check-prefix=ERROR %s
// RUN: %cilk2chan-tasks --emit=source -DTASKS %s -o %t.tasks 2>&1 | FileCheck --check-prefix=TASKS %s
// SILENT-NOT: warning
// ERROR: error: 'x' is used before a 'cilk_sync'
// TASKS: warning: 'x' is used before a 'cilk_sync'
#include <cilk/cilk.h>

struct pair {
  int a, b;
};
void use(int n);
int f(int n);

int used_by_a_call(int n) {
  // CHECK: :[[@LINE+2]]:7: warning: 'x' is used before a 'cilk_sync' waits for the spawn that sets it
  int x = cilk_spawn f(n);
  use(x);
  // CHECK: :[[@LINE-2]]:11: note: 'x' is set by this spawn; write 'cilk_sync;' before its first use
  use(x);  // said once
  cilk_sync;
  return x;
}
#ifndef TASKS
pair make(int n);
int returned(int n) {
  int x = cilk_spawn f(n - 1);
  int y = f(n - 2);
  // CHECK: :[[@LINE+1]]:10: warning: 'x' is used
  return x + y;
}
int assigned_in_a_loop(int n) {
  int x, sum = 0;
  for (int i = 0; i < n; ++i) {
    x = cilk_spawn f(i);
    // CHECK: :[[@LINE+1]]:12: warning: 'x' is used
    sum += x;
    cilk_sync;
  }
  return sum;
}
int a_member_read(int n) {
  pair p = cilk_spawn make(n);
  // CHECK: :[[@LINE+1]]:9: warning: 'p' is used
  use(p.a);
  cilk_sync;
  return p.b;
}
int passed_to_the_next(int n) {
  int x = cilk_spawn f(n);
  // CHECK: :[[@LINE+1]]:24: warning: 'x' is used
  int y = cilk_spawn f(x);
  cilk_sync;
  return x + y;
}
int on_both_ways(int n) {
  int x;
  if (n > 2) {
    x = cilk_spawn f(n);
  } else {
    x = cilk_spawn f(n + 1);
  }
  // CHECK: :[[@LINE+1]]:7: warning: 'x' is used
  use(x);
  cilk_sync;
  return x;
}
int in_a_lambda(int n) {
  const auto inner = [&] {
    int x = cilk_spawn f(n);
    // CHECK: :[[@LINE+1]]:9: warning: 'x' is used
    use(x);
    cilk_sync;
    return x;
  };
  return inner();
}

// CHECK-NOT: warning:
int where_conditions_may_agree(int n) {
  int x = 0;
  if (n > 2) x = cilk_spawn f(n);
  if (n > 2) cilk_sync;
  use(x);
  return x;
}
int not_evaluated(int n) {
  int x = cilk_spawn f(n);
  use(int(sizeof(x)) + int(sizeof(decltype(x))));
  use(__builtin_constant_p(x));
  cilk_sync;
  return x;
}
int after_a_scope(int n) {
  int x, y = 0;
  cilk_scope { x = cilk_spawn f(n); }
  use(x);
  y += cilk_spawn f(1);
  y += cilk_spawn f(2);
  cilk_sync;
  return x + y;
}
int from_behind_a_sync(int n) {
  int x = cilk_spawn f(n);
  for (int i = 0; i < n; ++i) {
    if (i > 0) use(x);
    cilk_sync;
  }
  return x;
}
int after_a_try(int n) {
  int x;
  try {
    x = cilk_spawn f(n);
  } catch (...) {
    x = 0;
  }
  return x;
}
int by_a_jump(int n) {
  int x = cilk_spawn f(n);
  goto wait;
again:
  return x;
wait:
  cilk_sync;
  goto again;
}
int each_iteration_joins(int* a, int n) {
  int x = 0;
  cilk_for(int i = 0; i < n; ++i) a[i] = i;
  volatile int seen = cilk_spawn f(n);
  while (seen == 0) x++;
  cilk_sync;
  return x;
}
#endif
