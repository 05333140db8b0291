// RUN: %cilk2chan --emit=graph %s | FileCheck %s
// RUN: %cilk2chan-tasks --emit=graph %s | FileCheck %s
#include <cilk/cilk.h>

int leaf(int n);

// CHECK: digraph program {
// CHECK: "channel leaf" -> "node leaf";
// CHECK-NOT: leaf.cont
// CHECK: "channel tree" -> "node tree";
// CHECK: "channel tree.cont" -> "node tree.cont";
// CHECK: "node tree" -> "channel tree.cont" [label="frame"];
// CHECK: "node tree" -> "channel tree" [label="spawn"];
// CHECK: "node tree.cont" -> "channel leaf" [label="spawn"];
// CHECK: "node tree.cont" -> "channel tree.cont" [label="next sync"];
// CHECK: }
int tree(int n) {
  if (n == 0) return 0;
  int x = cilk_spawn tree(n - 1);
  cilk_sync;
  int y = cilk_spawn leaf(x);
  cilk_sync;
  return y;
}
