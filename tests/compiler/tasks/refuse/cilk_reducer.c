// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

void zero(void* view);
void add(void* left, void* right);
// CHECK: :[[@LINE+1]]:5: error: 'cilk_reducer' is not supported yet
int cilk_reducer(zero, add) sum;
// CHECK: note: let each function return its part, and combine the parts after 'cilk_sync'
