// A variable that the tasks of two files use: neither has a copy, since a pointer may lead to it in the other. Their static
// variables have.
// RUN: %device-run-and-compare %s %S/files/variables_elsewhere.c
// RUN: %cilk2chan -O0 --device=emulated --explain %s %S/files/variables_elsewhere.c -o %t.both 2>&1 | FileCheck %s
// CHECK: {{^}}ours: variable, used where the host has it: other files may use it
// CHECK: {{^}}mine: variable, copied to devices and back
// CHECK: {{^}}own: variable, copied to devices and back
// CHECK: {{^}}to_ours: variable, used where the host has it: other files may use it
// CHECK: {{^}}ours: variable, used where the host has it: other files may use it
// What is linked with other objects is not all of a program either, whatever order they come in.
// RUN: %cilk2chan -O0 --device=emulated -c %S/files/variables_elsewhere.c -o %t.o
// RUN: %cilk2chan -O0 --device=emulated --explain %t.o %s -o %t.linked 2>&1 | FileCheck --check-prefix=LINKED %s
// LINKED: {{^}}ours: variable, used where the host has it: other files may use it
// RUN: %t.both > %t.host && env CHANNELS_DEVICE=emulated %t.linked | diff %t.host -
#include <cilk/cilk.h>
#include <stdio.h>
#include "files/variables.h"
int ours = 7;
static int mine;
void visit(int lo, int hi) {
  if (hi - lo == 1) {
    __atomic_fetch_add(&ours, lo, __ATOMIC_RELAXED);
    __atomic_fetch_add(&mine, 1, __ATOMIC_RELAXED);
    return;
  }
  int mid = (lo + hi) / 2;
  cilk_spawn visit(lo, mid);
  visit(mid, hi);
  cilk_sync;
}
int main(void) {
  for (int run = 0; run < 3; run++) {
    visit(0, 16);
    theirs(0, 16);
    printf("%d %d %d\n", ours, mine, *to_ours);
    ours++;
    mine -= 4;
  }
  return 0;
}
