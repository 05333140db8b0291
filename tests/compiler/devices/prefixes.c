// Loops whose iterations use a sum that each adds to: lanes add up their terms first, for integers. Each case gives what
// the serial program gives.
// RUN: %cilk2chan --device=emulated %s -o %t.out 2>&1 | count 0
// RUN: %cilk2chan --serial -ffp-contract=off %s -o %t.serial
// RUN: %t.serial > %t.expected
// RUN: env CHANNELS_DEVICE=emulated %t.out | diff - %t.expected
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_FORCE_YIELD=0.5 %t.out | diff - %t.expected
// RUN: %cilk2chan --device=emulated --explain --emit=tasks %s 2>&1 >/dev/null | FileCheck %s
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

#define SIZE 3000
static int *in, *other;
static long* out;
static unsigned char* bytes;

static void inclusive(const int* from, long* to, long n, long before) {
  // CHECK: {{^}}inclusive: its loops on a GPU
  // CHECK-NEXT: line [[# @LINE + 1]]: side by side on lanes, which add up their terms first
  for (long i = 0; i < n; i++) to[i] = before += from[i];
  to[n] = before;
}
static void exclusive(const int* from, long* to, int n) {
  // CHECK: {{^}}exclusive: its loops on a GPU
  unsigned long sum = 17;
  // CHECK-NEXT: line [[# @LINE + 1]]: side by side on lanes, which add up their terms first
  for (int i = n - 1; i >= 0; i -= 2) {
    to[i] = sum;
    sum -= from[i] * 3ul;
  }
  to[n] = sum;
}
// In place an iteration stores what it reads behind that.
static void exclusive_longs(const long* from, long* to, int n) {
  // CHECK: {{^}}exclusive_longs: its loops on a GPU
  long sum = 1;
  // CHECK-NEXT: line [[# @LINE + 1]]: side by side on lanes, which add up their terms first
  for (int i = 0; i < n; i++) {
    to[i] = sum;
    sum += from[i];
  }
}
static void in_place(int* of, int n) {
  // CHECK: {{^}}in_place: its loops on a GPU
  int sum = 0, last = 0;
  // CHECK-NEXT: line [[# @LINE + 1]]: side by side on lanes, which add up their terms first
  for (int i = 0; i < n; i++) {
    int term = of[i] % 50;
    last = term > 20 ? term : 1;
    int now = sum = sum + last;
    of[i] = now;
  }
  of[n] += sum + last;
}
// Two sums, of which one wraps, and a sum that only joins.
static void several(const int* from, unsigned char* to, int n) {
  // CHECK: {{^}}several: its loops on a GPU
  unsigned char a = 3;
  short steps = 0;
  long all = 0;
  // CHECK-NEXT: line [[# @LINE + 1]]: side by side on lanes, which add up their terms first
  for (int i = 0; i < n; i++) {
    a += from[i];
    steps++;
    all += from[i];
    to[i] = a ^ steps;
  }
  to[n] = a + steps + all % 100;
}

// Each of these is one lane's.
static double floating(const int* from, double* to, int n) {
  // CHECK: {{^}}floating: its loops on a GPU
  double sum = 0;
  // CHECK-NEXT: line [[# @LINE + 1]]: one after the other
  for (int i = 0; i < n; i++) to[i] = sum += from[i] * 0.1;
  return sum;
}
static void depends(const int* from, long* to, int n) {
  // CHECK: {{^}}depends: its loops on a GPU
  long sum = 1;
  // CHECK-NEXT: line [[# @LINE + 1]]: one after the other
  for (int i = 0; i < n; i++) to[i] = sum += from[i] * (sum & 3);
  // CHECK-NEXT: line [[# @LINE + 1]]: one after the other
  for (int i = 0; i < n; i++)
    if (from[i] > 4) to[i] = sum += from[i];
  // CHECK-NEXT: line [[# @LINE + 1]]: one after the other
  for (int i = 0; i < n; i++) {
    to[i] += 1;
    sum += to[i];
    to[i] = sum;
  }
  to[n] = sum;
}
// CHECK: tasks:

static void run(int which, int n) {
  switch (which) {
    case 0: cilk_spawn inclusive(in, out, n, 5); break;
    case 1: cilk_spawn exclusive(in, out, n); break;
    case 2: cilk_spawn in_place(other, n); break;
    case 3: cilk_spawn several(in, bytes, n); break;
    case 4: cilk_spawn floating(in, (double*)out, n); break;
    case 5: cilk_spawn depends(in, out, n); break;
    case 6: cilk_spawn inclusive((int*)out + 1, out, n / 2, -9); break;  // it overlaps what it reads
    case 7: cilk_spawn exclusive_longs(out, out + SIZE / 2, n / 2); break;
    case 8: cilk_spawn exclusive_longs(out, out, n); break;
  }
  cilk_sync;
}

int main(void) {
  in = (int*)malloc(SIZE * sizeof(int));
  other = (int*)malloc(SIZE * sizeof(int));
  out = (long*)malloc(SIZE * sizeof(long));
  bytes = (unsigned char*)malloc(SIZE);
  for (int n = 1; n < SIZE; n = n * 3 + 1)
    for (int which = 0; which <= 8; which++) {
      for (int i = 0; i < SIZE; i++) in[i] = i * 7919 % 31 - 9, other[i] = i % 97, out[i] = i % 5, bytes[i] = i;
      run(which, n);
      unsigned long hash = 0;
      for (int i = 0; i < SIZE; i++) hash = hash * 31 + in[i] + other[i] * 3 + out[i] * 5 + bytes[i];
      printf("%d %d %lx\n", n, which, hash);
    }
  return 0;
}
