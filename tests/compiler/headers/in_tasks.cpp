// Sums and lists are reducers in tasks, too, also where only what a task calls uses them.
// RUN: %cilk2chan --explain %s -o %t 2>&1 | FileCheck %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_CUS=2 %t 2>&1 | FileCheck %s --check-prefix=RESULT
#include <cilk/cilk.h>
#include <cilk/reducer_list.h>
#include <cilk/reducer_opadd.h>
#include <cstdio>

cilk::reducer<cilk::op_add<long> > total;
cilk::reducer_list_append<int> all;

static void note(int n) { all.push_back(n); }

// CHECK: adds: task adds
static void adds(int n) {
  if (n == 0) *total += 1;
  if (n == 0) return;
  cilk_spawn adds(n - 1);
  adds(n - 1);
  cilk_sync;
}

// CHECK: calls: task calls
// CHECK: tasks: 2 of 2 functions
static void calls(int n) {
  if (n == 0) { note(n); return; }
  cilk_spawn calls(n - 1);
  calls(n - 1);
  cilk_sync;
}

int main() {
  adds(10);
  calls(10);
  // RESULT: 1024 1024
  std::printf("%ld %zu\n", total.get_value(), all.get_value().size());
}
