// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);

// CHECK: :[[@LINE+1]]:9: error: 'cilk_spawn' outside of a function is not supported
int x = cilk_spawn leaf(1);
// CHECK: note: call the function here, without 'cilk_spawn'
