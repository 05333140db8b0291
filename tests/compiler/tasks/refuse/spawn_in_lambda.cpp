// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);

int outer(int n) {
  auto body = [n] {
    // CHECK: :[[@LINE+1]]:13: error: 'cilk_spawn' in a lambda is not supported
    int x = cilk_spawn leaf(n);
    // CHECK: note: write the body of the lambda as a function
    cilk_sync;
    return x;
  };
  return body();
}
