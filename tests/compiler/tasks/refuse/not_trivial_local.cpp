// RUN: %tasks-refuse %s | FileCheck %s
#include <cilk/cilk.h>

#include <string>
int leaf(int n);
int outer(int n) {
  int x = cilk_spawn leaf(n);
  cilk_sync;
  // CHECK: :[[@LINE+1]]:15: error: 'text' is not trivially copyable
  std::string text = "a";
  x += text.size();
  return x;
}
