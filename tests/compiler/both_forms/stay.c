// What cannot be a task stays host code, and says so once when it is to run through channels.
// RUN: %cilk2chan %s -o %t
// RUN: %t 2>&1 | FileCheck --check-prefixes=CHECK,SILENT %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t 2>&1 | FileCheck --check-prefixes=CHECK,STAY %s
// RUN: %cilk2chan --explain %s -o %t 2>&1 | FileCheck --check-prefix=STAY2 %s
// RUN: %cilk2chan --no-tasks %s -o %t.host
// RUN: env CHANNELS_ORDER=channels %t.host 2>&1 | FileCheck --check-prefixes=CHECK,SILENT %s
// SILENT-NOT: stays
#include <cilk/cilk.h>
#include <stdio.h>

static int with_goto(int n) {
  // The assembly is the obstacle, and not the jump.
  // STAY: channels: with_goto: stays on the host, depth-first: {{.*}}stay.c:[[@LINE+4]]:{{[0-9]+}}: inline assembly in a function that spawns
  // STAY2: with_goto: stays on the host, depth-first: {{.*}}stay.c:[[@LINE+3]]:{{[0-9]+}}: inline assembly in a function that spawns
  if (n == 0) goto end;
  int x = cilk_spawn with_goto(n - 1);
  __asm__("");
  cilk_sync;
  return x + 1;
end:
  return 1;
}

static int caller(int n) {
  // STAY: channels: caller: stays on the host, depth-first: {{.*}}stay.c:[[@LINE+1]]:{{[0-9]+}}: it calls 'with_goto', which stays on the host
  int x = cilk_spawn with_goto(n);
  cilk_sync;
  return x;
}

static int task(int n) {
  if (n < 2) return n;
  int x = cilk_spawn task(n - 1);
  int y = task(n - 2);
  cilk_sync;
  return x + y;
}

static int through_helper(int n);
static int helper(int n) { return through_helper(n - 1); }
static int through_helper(int n) {
  // A helper that comes back to its caller becomes a task with it.
  if (n < 1) return 5;
  int x = cilk_spawn task(n);
  int y = helper(n);
  cilk_sync;
  return x + y;
}

static int sum(int n) {
  int total = 0;
  for (int i = 0; i < n; ++i) total += cilk_spawn task(i);
  cilk_sync;
  return total;
}

int main(void) {
  // STAY-NOT: channels: sum:
  // STAY-NOT: channels: task:
  // CHECK: 10 10 55 25 88
  printf("%d %d %d %d %d\n", with_goto(9), caller(9), task(10), through_helper(6), sum(10));
  // STAY: tasks{{ +}}{{[1-9][0-9]+}}
  return 0;
}
