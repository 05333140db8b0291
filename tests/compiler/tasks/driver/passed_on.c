// Options for the preprocessor reach the parser and the host compiler.
// RUN: %cilk2chan-tasks -DSTEP=2 -I %S/include -std=c11 -O0 -g -lm %s -o %t
// RUN: %t | FileCheck %s
// RUN: %cilk2chan-tasks --serial -D STEP=2 -I%S/include -O1 %s -o %t.serial
// RUN: %t.serial | FileCheck %s
#include <cilk/cilk.h>
#include <math.h>
#include <stdio.h>

#include "answer.h"

long count(int n) {
  if (n <= 0) return ANSWER;
  long x = cilk_spawn count(n - STEP);
  cilk_sync;
  return x + 1;
}

int main(void) {
  // CHECK: 47 3
  printf("%ld %g\n", count(10), floor(3.7));
  return 0;
}
