// RUN: %host-code-refuse %s | FileCheck %s
#include <cilk/cilk.h>
#include <vector>
void outer(std::vector<int>& v) {
  // CHECK: :[[@LINE+1]]:3: error: 'cilk_for' over a range is not supported
  cilk_for (int& x : v) x++;
  // CHECK: note: loop over an index or an iterator: 'cilk_for (auto it = r.begin(); it != r.end(); ++it)'
}
