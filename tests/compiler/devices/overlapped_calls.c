// Plain calls of functions that spawn run beside each other where nobody can tell: they only read, and the second one does not
// use what the first one returns. Branches that each spawn, wait and return a sum are a task that sums up.
// RUN: %cilk2chan --device=emulated -w %s -o %t -lm
// RUN: %cilk2chan --serial -O1 -w %s -o %t.serial -lm
// RUN: %t.serial > %t.wanted
// RUN: env CHANNELS_DEVICE=emulated %t | diff %t.wanted -
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_FORCE_YIELD=0.3 %t | diff %t.wanted -
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_CUS=1 CHANNELS_MEMORY=1M %t | diff %t.wanted -
// RUN: env CHANNELS_ORDER=channels %t | diff %t.wanted -
// RUN: %cilk2chan --device=emulated -w --explain --emit=tasks %s 2>&1 >/dev/null | FileCheck --check-prefix=SAID %s
// RUN: %cilk2chan --device=emulated -w --emit=tasks --no-line %s | grep -v CHECK | FileCheck %s
#include <cilk/cilk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int cutoff = 9;
static long calls, last;

// The second one may read what the first one has stored.
typedef struct tree {
  struct tree* next;
  long below, sum;
} tree;
// SAID-LABEL: {{^}}measure: task
// SAID: waits for this call
// SAID: waits for this call
// SAID: frame:
static long depth(const tree* t) {
  if (!t) return 0;
  long below = cilk_spawn depth(t->next);
  cilk_sync;
  return t->below + below + 1;
}
static void measure(tree* t) {
  if (!t) return;
  cilk_spawn measure(t->next);
  cilk_sync;
  t->below = depth(t->next);
  t->sum = depth(t);
}

// Below a cutoff it calls itself.
// CHECK-LABEL: struct fib_{{[^ ]*}}task {
// CHECK: sums_up = true
// CHECK: ::outcome enter
static long fib(int n) {
  if (n < 2) return n;
  if (n < cutoff) return fib(n - 1) + fib(n - 2);
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

// Three in a row; the third one needs the first.
// SAID-LABEL: {{^}}three: task
// SAID-COUNT-2: waits for this call
// SAID-NOT: waits for this call
// SAID: frame:
static long three(int n) {
  long a, b, c;
  if (n < 3) return (long)sqrt((double)(cutoff + n));
  a = three(n - 1);
  b = three(n - 2);
  c = three((int)(a % 2) + n - 3);
  long d = cilk_spawn fib(3);
  cilk_sync;
  return a + 2 * b + 3 * c + d;
}

// What it does others see.
// SAID-LABEL: {{^}}counted: task
// SAID: waits for this call
// SAID: waits for this call
// SAID: frame:
static long counted(int n) {
  long x, y;
  last = last * 31 + n;
  calls++;
  if (n < 3) return n;
  x = counted(n - 1);
  y = counted(n - 2);
  long z = cilk_spawn fib(4);
  cilk_sync;
  return x - y + z;
}

// So does one that is told where.
static long told(long* at, int n) {
  if (n < 2) return *at += n;
  long x = cilk_spawn fib(n % 7);
  cilk_sync;
  *at = *at * 3 + x;
  return *at;
}
static long tells(int n) {
  long at = 1;
  return told(&at, n) * 10000 + told(&at, n + 1) * 100 + told(&at, 1);
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 18;
  printf("%ld %ld\n", fib(n), three(11));
  printf("%ld", counted(9));
  printf(" %ld %ld\n", calls, last);
  tree* all = NULL;
  for (int i = 0; i < 12; i++) {
    tree* one = calloc(1, sizeof *one);
    one->next = all;
    all = one;
  }
  measure(all);
  for (tree* one = all; one; one = one->next) printf("%ld %ld ", one->below, one->sum);
  printf("\n%ld %ld\n", tells(3), tells(20));
  return 0;
}
