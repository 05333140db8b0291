// RUN: %cilk2chan --net=mpi --explain --emit=source -o %t.out.c %s 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=SOURCE %s < %t.out.c
// RUN: %cilk2chan --explain --emit=source -o %t.out.c %s 2>&1 | FileCheck --check-prefix=WITHOUT %s
// WITHOUT-NOT: {{ }}reach:
#include <cilk/cilk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const int weights[4] = {1, 2, 3, 5};
static const char* const names[2] = {"a", "b"};
int calls;
int elsewhere(int n);
struct pair {
  int first;
  double second;
};
struct named {
  const char* name;
};

// Pointers into its own variables are no obstacle, and neither are mathematics and memory.
static double of_array(const double* a, int n) { return n == 0 ? 0 : sqrt(a[0]) + of_array(a + 1, n - 1); }

// SOURCE: static channels_cilk_traveller world_spawn_1_travels = {"world", world_spawn_1_run,
// CHECK-LABEL: world: host code
// CHECK-NEXT: reach: world
struct pair world(struct pair p) {
  double own[3] = {p.second, 2, 3};
  int* block = malloc(sizeof *block);
  *block = weights[p.first & 3];
  p.second = of_array(own, 3);
  p.first -= *block;
  free(block);
  if (p.first < 0) return p;
  // CHECK-NEXT: line [[@LINE+1]]: spawn of 'world', given away when a worker is hungry, also of another rank
  struct pair q = cilk_spawn world(p);
  cilk_sync;
  return q;
}

// CHECK-LABEL: with_pointer: host code
// CHECK-NEXT: reach: host: {{.*}}reach.c:[[@LINE+1]]:23: its parameter 'a' is no value without pointers
int with_pointer(int* a) {
  // CHECK-NEXT: line [[@LINE+1]]: spawn of 'with_pointer', given away when a worker is hungry, of this rank: {{.*}}its parameter 'a'
  int x = cilk_spawn with_pointer(a + 1);
  cilk_sync;
  return x;
}

// CHECK-LABEL: with_structure: host code
// CHECK-NEXT: reach: host: {{.*}}its parameter 'n' is no value without pointers
int with_structure(struct named n) {
  int x = cilk_spawn with_structure(n);
  cilk_sync;
  return x;
}

// CHECK-LABEL: with_variable: host code
// CHECK-NEXT: reach: host: {{.*}}reach.c:[[@LINE+2]]:3: it uses the variable 'calls', which is no constant
int with_variable(int n) {
  calls++;
  int x = cilk_spawn with_variable(n - 1);
  cilk_sync;
  return x;
}

// CHECK-LABEL: with_names: host code
// CHECK-NEXT: reach: host: {{.*}}it uses the variable 'names', which is no constant
int with_names(int n) {
  int x = cilk_spawn with_names(names[n][0]);
  cilk_sync;
  return x;
}

static int prints(int n) { return printf("%d\n", n); }

// CHECK-LABEL: with_output: host code
// CHECK-NEXT: reach: host: {{.*}}reach.c:[[@LINE-3]]:35: it calls 'prints': it calls 'printf', of which nobody knows what it uses
int with_output(int n) {
  int x = cilk_spawn with_output(prints(n));
  cilk_sync;
  return x;
}

// CHECK-LABEL: with_static: host code
// CHECK-NEXT: reach: host: {{.*}}it uses the variable 'last', which is no constant
int with_static(int n) {
  static int last;
  int x = cilk_spawn with_static(n - 1);
  cilk_sync;
  return last = x;
}

// CHECK-LABEL: with_number: host code
// CHECK-NEXT: reach: host: {{.*}}it makes a number of a pointer, or the reverse
int with_number(unsigned long n) {
  int x = cilk_spawn with_number(*(unsigned long*)n);
  cilk_sync;
  return x;
}

// CHECK-LABEL: without_result: host code
// CHECK-NEXT: reach: host: {{.*}}it has no result
void without_result(int n) {
  cilk_spawn without_result(n - 1);
  // CHECK: spawn of 'elsewhere', given away when a worker is hungry, of this rank: {{.*}}it is not defined in this file
  int x = cilk_spawn elsewhere(n);
  cilk_sync;
  calls += x;
}
