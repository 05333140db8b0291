// Loops that walk pointers and count down: lanes share them as the loops over numbers that they could have been. Each case
// gives what the serial program gives, and leaves its variables where that leaves them.
// RUN: %cilk2chan --device=emulated %s -o %t.out 2>&1 | count 0
// RUN: %cilk2chan --serial -ffp-contract=off %s -o %t.serial
// RUN: %t.serial > %t.expected
// RUN: env CHANNELS_DEVICE=emulated %t.out | diff - %t.expected
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_FORCE_YIELD=0.5 %t.out | diff - %t.expected
// RUN: %cilk2chan --device=emulated --explain --emit=tasks %s 2>&1 >/dev/null | FileCheck %s
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

#define SIZE 2000
static int* values;
static long *sums, *copies;

static long total(const int* in, long n) {
  // CHECK: {{^}}total: its loops on a GPU
  long sum = 0;
  // CHECK-NEXT: line [[# @LINE + 1]]: side by side on lanes
  while (n-- > 0) sum += *in++;
  return sum * 1000 + n;
}
static void copy(long* to, const int* from, unsigned n) {
  // CHECK: {{^}}copy: its loops on a GPU
  // CHECK-NEXT: line [[# @LINE + 1]]: side by side on lanes
  for (; n; n--) *to++ = *from++ * 3;
  *to = n;
}
// An end, a step of two, and a value that is used where it stands.
static void spread(long* to, const int* from, const int* end) {
  // CHECK: {{^}}spread: its loops on a GPU
  int place = 7;
  // CHECK-NEXT: line [[# @LINE + 1]]: side by side on lanes
  while (from != end) {
    long now = *from + place;
    to += 2;
    to[-1] = now;
    place -= 3;
    to[-2] = place;
    from++;
  }
  to[0] += place;
}
static void backwards(int* to, const int* from, int n) {
  // CHECK: {{^}}backwards: its loops on a GPU
  const int* last = from + n;
  int i = -1;
  // CHECK-NEXT: line [[# @LINE + 1]]: side by side on lanes
  while (++i < n) to[i] += *--last;
  to[n] += i;
}
static long prefix(const int* from, long* to, int n) {
  // CHECK: {{^}}prefix: its loops on a GPU
  long sum = 3;
  // CHECK-NEXT: line [[# @LINE + 1]]: side by side on lanes, which add up their terms first
  while (--n >= 0) *to++ = sum += *from++;
  return sum + n;
}
static void rows(long* to, const int* from, int m, int n) {
  // CHECK: {{^}}rows: its loops on a GPU
  // CHECK-NEXT: line [[# @LINE + 1]]: {{.*}}
  for (int i = 0; i < m; i++) {
    const int* p = from + i;
    long* q = to + i * n;
    int k = n;
    // CHECK-NEXT: line [[# @LINE + 1]]: side by side on lanes
    while (k > 0) {
      *q++ += *p++;
      k--;
    }
  }
}

static void commas(long* to, const int* from, int n) {
  // CHECK: {{^}}commas: its loops on a GPU
  long *first = to, *second = to + n;
  int i;
  // CHECK-NEXT: line [[# @LINE + 1]]: side by side on lanes
  for (i = 0; i < n / 2; i++, first++, ++second) *first += *second + from[i];
  *second += first - to + i;
}
// Each of these stays as it is: what ends an iteration adds up,
static long adds(const int* from, int n) {
  // CHECK: {{^}}adds: its loops on a GPU
  unsigned long sum = 0;
  const int* at = from;
  // CHECK-NEXT: line [[# @LINE + 1]]: one after the other
  for (int i = 0; i < n; i++, sum = sum * 3 + i) at++;
  return sum + (at - from);
}
// it does not count, a branch walks, the limit moves, it leaves early.
typedef struct node {
  struct node* next;
  int value;
} node;
static node nodes[SIZE];
static long listed(const node* at) {
  long sum = 0;
  while (at != NULL) {
    sum = sum * 3 + at->value;
    at = at->next;
  }
  return sum;
}
static int packed(long* to, const int* from, int n) {
  // CHECK: {{^}}packed: its loops on a GPU
  long* first = to;
  // CHECK-NEXT: line [[# @LINE + 1]]: one after the other
  for (int i = 0; i < n; i++)
    if (from[i] > 3) *to++ = from[i];
  return to - first;
}
static int moving(int* of, int n) {
  int i = 0;
  while (i < n) {
    of[i] += 1;
    if (of[i] % 5 == 0) n--;
    i++;
  }
  return i;
}
static int found(const int* in, int n) {
  int left = n;
  while (left-- > 0)
    if (*in++ == 11) break;
  return left;
}
// CHECK: tasks:

static long results[4];
static void run(int which, int n) {
  switch (which) {
    case 0: results[0] = cilk_spawn total(values, n); break;
    case 1: cilk_spawn copy(copies, values, n); break;
    case 2: cilk_spawn spread(copies, values, values + n / 2); break;
    case 3: cilk_spawn backwards(values + n, values, n / 2); break;
    case 4: results[1] = cilk_spawn prefix(values, sums, n); break;
    case 5: cilk_spawn rows(sums, values, n / 20, 20); break;
    case 6: cilk_spawn backwards(values + 1, values, n / 2); break;  // it overlaps
    case 7: results[2] = cilk_spawn listed(n > 1 ? &nodes[SIZE - n] : NULL); break;
    case 8: results[3] = cilk_spawn packed(copies, values, n); break;
    case 9: results[2] = cilk_spawn moving(values, n); break;
    case 10: results[3] = cilk_spawn found(values, n); break;
    case 11: results[0] = cilk_spawn total(values, -n); break;
    case 12: cilk_spawn commas(sums, values, n / 2); break;
    case 13: results[1] = cilk_spawn adds(values, n); break;
  }
  cilk_sync;
}

int main(void) {
  values = (int*)malloc(SIZE * sizeof(int));
  sums = (long*)malloc(SIZE * sizeof(long));
  copies = (long*)malloc(SIZE * sizeof(long));
  for (int n = 0; n < SIZE - 1; n = n * 3 + 1)
    for (int which = 0; which <= 13; which++) {
      for (int i = 0; i < SIZE; i++) values[i] = i * 7919 % 31 - 9, sums[i] = i % 97, copies[i] = i % 5;
      for (int i = 0; i < SIZE; i++) nodes[i].value = i % 7, nodes[i].next = i + 1 < SIZE ? &nodes[i + 1] : NULL;
      run(which, n);
      unsigned long hash = 0;
      for (int i = 0; i < SIZE; i++) hash = hash * 31 + values[i] + sums[i] * 3 + copies[i] * 5;
      printf("%d %d %lx %ld %ld %ld %ld\n", n, which, hash, results[0], results[1], results[2], results[3]);
    }
  return 0;
}
