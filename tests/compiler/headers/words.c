// The words of Cilk Plus and OpenCilk need no header.
// RUN: %host-code-run-and-compare %s
// RUN: %cilk2chan --no-tasks --explain %s -o %t 2>&1 | FileCheck %s --check-prefix=GIVEN
// GIVEN: spawn of 'fib', given away
// GIVEN: cilk_for, halved
#include <stdio.h>

static void zero(void* view) { *(long*)view = 0; }
static void add(void* left, void* right) { *(long*)left += *(long*)right; }
static long _Hyperobject(zero, add) total = 2;

// As programs do that bring their own keywords.
#define spawn _Cilk_spawn
#define cilk_sync _Cilk_sync

static long fib(int n) {
  if (n < 2) return n;
  long x = spawn fib(n - 1);
  long y = _Cilk_spawn fib(n - 2);
  cilk_sync;
  return x + y;
}

static long scoped(int n) {
  long a;
  long b;
  _Cilk_scope {
    a = _Cilk_spawn fib(n);
    b = fib(n - 1);
  }
  return a - b;
}

int main(void) {
  int squares[100];
#pragma cilk grainsize = 4
  _Cilk_for (int i = 0; i < 100; i++) squares[i] = i * i;
#pragma cilk grainsize(3)
  _Cilk_for (int i = 0; i < 100; i++) total += squares[i];
#pragma cilk grainsize 2
  _Cilk_for (int i = 0; i < 100; ++i) squares[i] += i;
  printf("%ld %ld %ld %d\n", fib(18), scoped(12), total, squares[99]);
  return 0;
}
