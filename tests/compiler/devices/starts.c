// Host code starts a run with a function that it names itself. A device has code for such starts only, because
// compilers for GPUs take long for each.
// RUN: %cilk2chan --device=emulated --emit=tasks --no-line %s | grep 'cilk_unit, arguments' | FileCheck %s
// RUN: %cilk2chan -O0 --device=emulated -c %s -o %t.o && %cilk2chan -O0 --device=emulated -DOTHER -c %s -o %t.other.o
// RUN: %cilk2chan --device=emulated %t.o %t.other.o -o %t.both && env CHANNELS_DEVICE=emulated %t.both | FileCheck %s --check-prefix=BOTH
// RUN: %device-run-and-compare %s
#include <cilk/cilk.h>
#include <stdio.h>

// CHECK-NOT: run_on_gpu<only_tasks_task>
// CHECK-NOT: run_on_gpu<leaves_task>
// CHECK-DAG: run_on_gpu<of_host_too_cilk_{{.*}}_task>
// CHECK-DAG: run_on_gpu<by_pointer_task>
// CHECK-DAG: run_on_gpu<main_{{.*}}_task>
// CHECK-NOT: run_on_gpu<only_tasks_task>
// CHECK-NOT: run_on_gpu<leaves_task>
// BOTH: 20, another file: 233

long leaves(long n);
#if defined(OTHER)
int another_file(void) { return (int)leaves(12); }
#else
static long only_tasks(long n) {
  if (n < 2) return n;
  long a = cilk_spawn only_tasks(n - 1);
  long b = only_tasks(n - 2);
  cilk_sync;
  return a + b;
}
/* In a program of several files another one may call it. */
long leaves(long n) {
  if (n < 2) return 1;
  long a = cilk_spawn leaves(n - 1);
  long b = leaves(n - 2);
  cilk_sync;
  return a + b;
}
static long of_host_too(long n) {
  if (n < 2) return n;
  long a = cilk_spawn of_host_too(n / 2);
  long b = only_tasks(n % 10) + leaves(n % 5);
  cilk_sync;
  return a + b;
}
static long by_pointer(long n) {
  if (n < 2) return n;
  long a = cilk_spawn by_pointer(n - 2);
  cilk_sync;
  return a + 1;
}

__attribute__((weak)) int another_file(void) { return 0; }

int main(void) {
  long (*volatile pointer)(long) = by_pointer;
  long spawned = cilk_spawn of_host_too(99);
  long a = of_host_too(100);
  cilk_sync;
  printf("%ld %ld %ld", spawned, a, pointer(40));
  printf(", another file: %d\n", another_file());
  return 0;
}
#endif
