// How far a run on a device is, on a terminal: of the device's own scheduler, for tasks that only add up and for others, and through
// channels. In a pipe there is nothing.
// RUN: %cilk2chan -O0 --device=emulated %s -o %t.out
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_PROGRESS=1 %on-terminal %t.out fib | FileCheck --check-prefix=OWN %s
// OWN: {{^}}fib: {{[0-9.]+( [kM])?}} tasks, {{[0-9.]+( [kM])?}}/s, {{[0-2]}} of 2 wavefronts, {{[0-9.]+ [KM]?i?}}B, 0 yields, {{[0-9.]+}} s[K]
// OWN: {{^}}[K]{{$}}
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_PROGRESS=1 %on-terminal %t.out wait | FileCheck --check-prefix=WAIT %s
// WAIT: {{^}}wait_for: {{[0-9.]+( [kM])?}} tasks, {{.*}} of 2 wavefronts,
// WAIT: {{^}}[K]{{$}}
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_ORDER=channels CHANNELS_PROGRESS=1 %on-terminal %t.out fib | FileCheck --check-prefix=CHANNELS %s
// CHANNELS: {{^}}fib: {{[0-9.]+( [kM])?}} tasks, {{.*}}, level {{[0-9]+}}, {{.*}} of 256.0 MiB
// RUN: env CHANNELS_DEVICE=emulated %on-terminal %t.out fib | FileCheck --check-prefix=NOT --allow-empty %s
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_PROGRESS=1 %t.out fib 2>&1 | FileCheck --check-prefix=NOT --allow-empty %s
// NOT-NOT: tasks
#include <cilk/cilk.h>
#include <string.h>

long fib(int n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

// Its children's results are not only added up.
long wait_for(int n) {
  if (n < 2) return n;
  long x = cilk_spawn wait_for(n - 1);
  long y = wait_for(n - 2);
  cilk_sync;
  return x > y ? x : y;
}

int main(int count, char** arguments) {
  if (count != 2) return 2;
  return strcmp(arguments[1], "fib") == 0 ? fib(33) != 3524578 : wait_for(31) != 1;
}
