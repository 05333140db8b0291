// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

#include <stdio.h>

int outer(int n) {
  // CHECK: :[[@LINE+1]]:22: error: spawning 'printf', which takes a variable number of arguments
  int x = cilk_spawn printf("%d", n);
  // CHECK: note: spawn a function of your own that calls 'printf'
  cilk_sync;
  return x;
}
