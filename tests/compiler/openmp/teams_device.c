// What threads of a 'parallel' share on a device: phases, kept variables, reductions of arrays,
// 'critical' in a task and in a loop, 'lastprivate', functions that ask whether their task is final.
// RUN: %cilk2chan -fopenmp-tasks -O0 -w --device=emulated %s -o %t 2>&1 | FileCheck --allow-empty --check-prefix=STAYS %s
// STAYS-NOT: stays on the host
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_MEMORY=32M CHANNELS_STATS=1 %t > %t.found 2>&1 && FileCheck %s < %t.found
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_MEMORY=32M CHANNELS_CUS=3 CHANNELS_ORDER=channels %t > %t.found 2>&1 && FileCheck --check-prefix=ANSWER %s < %t.found
// RUN: env CHANNELS_CUS=2 CHANNELS_GIVE=always %t | FileCheck --check-prefix=ANSWER %s
// CHECK-DAG: 499500 999 3003 127
// CHECK-DAG: 143 142 2000 610
// CHECK-DAG: on the device 'emulated'
// ANSWER: 499500 999 3003 127
// ANSWER-NEXT: 143 142 2000 610
#include <omp.h>
#include <stdio.h>
#include <string.h>

static long longest, visits;

static void walk(int depth, long length) {
#pragma omp critical
  {
    visits++;
    if (length > longest) longest = length;
  }
  if (depth == 0) return;
#pragma omp task
  walk(depth - 1, 2 * length);
#pragma omp task
  walk(depth - 1, 2 * length + 1);
#pragma omp taskwait
}

static long fib(int n, int depth) {
  long x, y;
  if (n < 2) return n;
  if (omp_in_final()) return fib(n - 1, depth) + fib(n - 2, depth);
#pragma omp task shared(x) final(depth > 3)
  x = fib(n - 1, depth + 1);
#pragma omp task shared(y) final(depth > 3)
  y = fib(n - 2, depth + 1);
#pragma omp taskwait
  return x + y;
}

int main(void) {
  int data[1000], last = 0, most = 0;
  long sum = 0, bins[7], threes = 0;
  memset(bins, 0, sizeof bins);
#pragma omp parallel shared(data)
  {
    long own = 0;
    int best = 0;
#pragma omp for
    for (int i = 0; i < 1000; i++) data[i] = i;
#pragma omp for
    for (int i = 0; i < 1000; i++) {
      own += data[i];
      if (data[i] > best) best = data[i];
    }
#pragma omp critical
    {
      sum += own;
      if (best > most) most = best;
    }
#pragma omp for reduction(+ : threes) nowait
    for (int i = 0; i < 1001; i++) threes += 3 + own - own;
  }
#pragma omp parallel for reduction(+ : bins)
  for (int i = 0; i < 1000; i++) bins[data[i] % 7]++;
#pragma omp parallel for lastprivate(last)
  for (int i = 0; i < 1000; i++) {
    last = data[i] + 1;
    if (i % 2 == 1) continue;
    last = 0;
  }
#pragma omp parallel
#pragma omp single
  walk(6, 1);
  printf("%ld %d %ld %ld\n", sum, most, threes, visits);
  long found;
#pragma omp parallel
#pragma omp single
  found = fib(15, 0);
  printf("%ld %ld %ld %ld\n", bins[0], bins[6], (long)last * 2 + longest - 127, found);
  return 0;
}
