// What every thread of a 'parallel' runs, with the answers of other compilers: variables of a
// thread's own across barriers, loops that threads share, control that all threads go through.
// RUN: %cilk2chan -fopenmp-tasks -O1 -w %s -o %t
// RUN: env CHANNELS_CUS=1 %t | FileCheck %s
// RUN: env CHANNELS_GIVE=always CHANNELS_CUS=3 %t | FileCheck %s
// RUN: env CHANNELS_ORDER=channels %t 2>&1 | FileCheck %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_CUS=2 CHANNELS_FORCE_YIELD=0.2 %t | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: local 4950 99 328350
// CHECK-NEXT: threads 5 10 50
// CHECK-NEXT: blocks 4950
// CHECK-NEXT: histogram 14 15 14 14 14 14 15
// CHECK-NEXT: heat 400000 12
// CHECK-NEXT: sweeps 64
// CHECK-NEXT: private 338350 100
// CHECK-NEXT: tasks 285 6
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N 100

// Each thread adds up in a variable of its own, and brings it in at the end.
static void local(void) {
  long sum = 0, squares = 0;
  int most = 0;
#pragma omp parallel
  {
    long mine = 0;
    int best = 0;
#pragma omp for
    for (int i = 0; i < N; i++) {
      mine += i;
      if (i > best) best = i;
    }
#pragma omp critical
    {
      sum += mine;
      if (best > most) most = best;
    }
#pragma omp for reduction(+ : squares) nowait
    for (int i = 0; i < N; i++) squares += i * i + mine - mine;
  }
  printf("local %ld %d %ld\n", sum, most, squares);
}

// Numbers of threads.
static void numbers(void) {
  int seen[5] = {0}, count = 0, sum = 0, times = 0;
#pragma omp parallel num_threads(5) reduction(+ : sum)
  {
    int me = omp_get_thread_num();
    seen[me]++;
    sum += me;
#pragma omp single
    count = omp_get_num_threads();
#pragma omp atomic
    times += count * 2;
  }
  for (int i = 0; i < 5; i++)
    if (seen[i] != 1) count = -1;
  printf("threads %d %d %d\n", count, sum, times);
}

// Work that the program itself gives out.
static void blocks(void) {
  long part[64] = {0}, all = 0;
#pragma omp parallel num_threads(7)
  {
    const int me = omp_get_thread_num(), of = omp_get_num_threads();
    for (int i = me; i < N; i += of) part[me] += i;
#pragma omp barrier
#pragma omp master
    for (int i = 0; i < of; i++) all += part[i];
  }
  printf("blocks %ld\n", all);
}

static void histogram(void) {
  long bins[7] = {0}, whole[7] = {0}, *heap = calloc(9, sizeof *heap);
#pragma omp parallel
  {
    long mine[7];
    memset(mine, 0, sizeof mine);
#pragma omp for schedule(static)
    for (int i = 0; i < N; i++) mine[i * i * i % 7 == 0 ? i % 7 : (i + 1) % 7 == 0 ? 6 : i % 7]++;
#pragma omp critical(bins)
    for (int i = 0; i < 7; i++) bins[i] += mine[i];
  }
#pragma omp parallel for reduction(+ : whole, heap[2 : 7])
  for (int i = 0; i < N; i++) {
    whole[i % 7]++;
    heap[2 + i % 7] += 1;
  }
  for (int i = 0; i < 7; i++)
    if (heap[2 + i] != whole[i] || heap[0] != 0) bins[0] = -1;
  (void)bins;
  long sum = 0;
  for (int i = 0; i < 7; i++) sum += bins[i];
  if (sum != N) whole[0] = -1;
  printf("histogram %ld %ld %ld %ld %ld %ld %ld\n", whole[6], whole[0], whole[2], whole[3], whole[4],
         whole[5], whole[1]);
  free(heap);
}

// A loop around loops: all threads count alike.
static void heat(int steps) {
  long now[40], next[40], total = 0;
  int step, rounds = 0;
#pragma omp parallel shared(now, next, rounds) private(step)
  {
    int mine = 0;
#pragma omp for
    for (int i = 0; i < 40; i++) now[i] = i == 20 ? 400000 : 0;
    for (step = 0; step < steps; step++) {
#pragma omp for
      for (int i = 0; i < 40; i++) {
        int left = i == 0 ? 0 : i - 1, right = i == 39 ? 39 : i + 1;
        next[i] = now[i] - now[i] / 4 * 2 + now[left] / 4 + now[right] / 4;
        if (i == 0) next[i] += 0 * left;
      }
#pragma omp for
      for (int i = 0; i < 40; i++) now[i] = next[i];
      mine++;
#pragma omp single
      rounds += mine > 0;
    }
  }
  for (int i = 0; i < 40; i++) total += now[i];
  printf("heat %ld %d\n", total, rounds);
}

// Until nothing changes.
static void sweeps(void) {
  int value[64], changed = 1, count = 0;
  for (int i = 0; i < 64; i++) value[i] = 64 - i;
#pragma omp parallel
  {
    while (1) {
#pragma omp barrier
      if (changed == 0) break;
#pragma omp barrier
#pragma omp single
      {
        changed = 0;
        count++;
      }
#pragma omp for reduction(+ : changed)
      for (int i = 0; i < 64; i++) {
        if (value[i] > 1) {
          value[i]--;
          changed++;
        }
      }
    }
  }
  printf("sweeps %d\n", count);
}

// Values that each thread begins with, the last iteration's value, a `continue`.
static void own(void) {
  long sum = 0;
  int offset = 1, last = 0, i;
  double scale = 1;
#pragma omp parallel firstprivate(offset, scale) private(i)
  {
    offset = offset + 1;
    scale *= 2;
    long mine = 0;
#pragma omp barrier
#pragma omp for lastprivate(last)
    for (i = 0; i < N; i++) {
      last = i;
      mine += (long)(i + offset - 1) * (i + 1);
      if (i % 3 == 0) continue;
      last++;
    }
#pragma omp atomic
    sum += mine;
  }
  int k;
#pragma omp parallel for lastprivate(k)
  for (k = 0; k < N; k++)
    if (k == 17) last++;
  printf("private %ld %d\n", sum, last - 1 == 99 ? k : last);
}

static long squares(int n) {
  if (n == 0) return 0;
  long rest = 0;
#pragma omp task shared(rest)
  rest = squares(n - 1);
#pragma omp taskwait
  return rest + n * n;
}

// Tasks that each thread makes.
static void tasks(void) {
  long found[3] = {0};
  int ends = 0;
#pragma omp parallel num_threads(3)
  {
    int me = omp_get_thread_num();
#pragma omp task shared(found)
    found[me] = squares(9);
#pragma omp task shared(ends)
    {
#pragma omp atomic
      ends++;
    }
#pragma omp barrier
    if (found[me] != 285) found[0] = -1;
#pragma omp atomic
    ends++;
  }
  printf("tasks %ld %d\n", found[0], ends);
}

int main(void) {
  local();
  numbers();
  blocks();
  histogram();
  heat(12);
  sweeps();
  own();
  tasks();
  return 0;
}
