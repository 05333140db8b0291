// A function of another file is host code in a task. A reducer of its own is a variable there; one from outside has no view, as
// tasks run in no serial order, and that is an error and no wrong answer.
// RUN: %cilk2chan -O1 -w %s %S/files/counts.c -o %t
// RUN: %t outside | FileCheck %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_CUS=2 %t | FileCheck --check-prefix=OWN %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_CUS=2 not %t outside 2>&1 | FileCheck --check-prefix=OUTSIDE %s
// CHECK: 16965
// CHECK: 20295
// OWN: 16965
// OUTSIDE: channels: a task calls a function that is host code, {{.*}} uses a reducer from outside. {{.*}}CHANNELS_ORDER=depth-first
#include <cilk/cilk.h>
#include <stdio.h>
extern void count(long n);
extern long own(long n);
extern long result(void);
long walk(int n) {
  if (n <= 0) { return own(10); }
  long a = cilk_spawn walk(n - 1);
  long b = walk(n - 2);
  cilk_sync;
  return a + b;
}
void walk_and_count(int n) {
  if (n <= 0) { count(3); return; }
  cilk_spawn walk_and_count(n - 1);
  walk_and_count(n - 2);
  cilk_sync;
}
int main(int argc, char **argv) {
  printf("%ld\n", walk(12));
  if (argc > 1) { walk_and_count(18); printf("%ld\n", result()); }
  return 0;
}
