// Cases of a switch that end in a scope and a return; cases into which others fall are written
// twice, each with its scope.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --device=emulated --explain --emit=tasks %s -o %t.out 2>&1 | FileCheck %s
// CHECK: tasks: 5 of 5 functions
#include <cilk/cilk.h>
#include <stdio.h>
static long f(long n) { if (n < 2) return n; long a = cilk_spawn f(n - 1); long b = f(n - 2); cilk_sync; return a + b; }
static long pick(int n) {
  switch (n & 3) {
    case 0: { long a = 0; cilk_scope { a = cilk_spawn f(n); } return a; }
    case 1: { long a = 0; cilk_scope { a = cilk_spawn f(n); n += 2; } return a + 5 + n; }
    case 2: { long a = 0, b; b = cilk_spawn f(n + 1); cilk_scope { a = cilk_spawn f(n); } cilk_sync; return a * 3 + b; }
    default: { long a = 1; cilk_scope { a = cilk_spawn f(n); } return a * 7; }
  }
}
static long only_scopes(int n) {
  long a = 0, b = 0;
  if (n > 3) { cilk_scope { a = cilk_spawn f(n); } cilk_scope { b = cilk_spawn f(n + a); } return a + b * 2; }
  else { cilk_scope { a = cilk_spawn f(n + 4); } return a * 5; }
}
static long falls(int n) {
  long a = 0, b = 0;
  switch (n % 4) {
    case 0: cilk_scope { a = cilk_spawn f(n + 2); }
    case 1: cilk_scope { b = cilk_spawn f(n + a % 5); } a += b;
    case 2: { cilk_scope { a += f(3); b = cilk_spawn f(n); } } break;
    default: b = 2;
  }
  return a * 3 + b;
}
int main(void) { for (int i = 0; i < 12; i++) { long p = cilk_spawn pick(i); long q = only_scopes(i % 6); cilk_sync; printf("%ld %ld %ld\n", p, q, falls(i)); } }
