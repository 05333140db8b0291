// OpenMP's tasks on a device: blocks, copies of arrays, loops with reductions, atomic updates, two
// files; a lock of omp.h keeps a function on the host.
// RUN: %cilk2chan -fopenmp-tasks -O0 -w --device=emulated -c %s -DPART -o %t.part.o
// RUN: %cilk2chan -fopenmp-tasks -O0 -w --device=emulated %s %t.part.o -o %t 2>&1 | FileCheck --check-prefix=STAYS %s
// STAYS: locked: stays on the host, depth-first: {{.*}}'omp_set_lock', which a task calls, waits for a lock
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_MEMORY=32M CHANNELS_STATS=1 %t > %t.found 2>&1 && FileCheck %s < %t.found
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_MEMORY=32M CHANNELS_ORDER=channels CHANNELS_FORCE_YIELD=0.1 CHANNELS_STATS=1 %t > %t.found 2>&1 && FileCheck %s < %t.found
// CHECK-DAG: 120 65536 332833500 7
// CHECK-DAG: on the device 'emulated'
#include <omp.h>
#include <stdio.h>
#include <string.h>

long perms(int n, int row, const int* used);

#ifdef PART
long perms(int n, int row, const int* used) {
  long found[8] = {0}, sum = 0;
  if (row == n) return 1;
  for (int i = 0; i < n; i++) {
    int next[8];
    if (used[i]) continue;
    memcpy(next, used, sizeof next);
    next[i] = 1;
#pragma omp task shared(found)
    {
      if (row < n) found[i] = perms(n, row + 1, next);
      next[i] = 0;
    }
  }
#pragma omp taskwait
  for (int i = 0; i < n; i++) sum += found[i];
  return sum;
}
#else
static long leaves, most;
static omp_lock_t lock;

static void split(int n) {
  if (n == 0) {
#pragma omp atomic
    leaves += 256;
    return;
  }
#pragma omp task if (n > 3)
  split(n - 1);
#pragma omp task
  { split(n - 1); }
}

static void locked(int n) {
  if (n == 0) return;
#pragma omp task
  locked(n - 1);
  omp_set_lock(&lock);
  if (n > most) most = n;
  omp_unset_lock(&lock);
#pragma omp taskwait
}

int main(void) {
  int used[8] = {0};
  long count = 0, squares = 0;
#pragma omp parallel
#pragma omp single
  {
    count = perms(5, 0, used);
    split(8);
    locked(7);
  }
#pragma omp parallel for reduction(+ : squares)
  for (int i = 0; i < 1000; i++) squares += i * i;
  printf("%ld %ld %ld %ld\n", count, leaves, squares, most);
  return 0;
}
#endif
