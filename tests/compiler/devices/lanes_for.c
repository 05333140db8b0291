// The iterations of a cilk_for on a GPU: side by side on lanes, one after the other with a loop in each that lanes
// share, or on one lane each.
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --device=emulated --explain --emit=tasks %s -o %t.explained 2>&1 | FileCheck %s
// RUN: %cilk2chan --device=emulated --emit=tasks --no-line %s | FileCheck %s --check-prefix=TASKS
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

static int n = 333;

// CHECK-DAG: squares (cilk_for in line [[@LINE+2]]): side by side on lanes of a GPU
void squares(long* to, const int* from) {
  cilk_for (int i = 0; i < n; i++) {
    if (from[i] % 5 == 0) continue;
    to[i] = (long)from[i] * from[i];
  }
}
// TASKS-LABEL: {{^}}struct squares_task_loop {
// TASKS: is_leaf({{.*}}args) {
// TASKS-NEXT: return !(args.end - args.begin > args.grain);
// TASKS: for (std::uint64_t cilk_turn = args.begin + channels_lane(); cilk_turn < args.end; cilk_turn += channels_lanes()) {
// TASKS: half.end = half.begin + channels::cilk::half_for_lanes(half.end - half.begin);
// TASKS: channels::cilk::grain_for_lanes(channels::cilk::default_grain(

// CHECK-DAG: down (cilk_for in line [[@LINE+4]]): side by side on lanes of a GPU
void down(long* of, int by) {
  long most = n - 1;
#pragma cilk grainsize 3
  cilk_for (long i = most; i >= 0; i -= by) of[i] += i * by + most;
}

// CHECK-DAG: table (cilk_for in line [[@LINE+4]]): on a GPU, lanes share the loops in an iteration
// CHECK-DAG:   line [[@LINE+6]]: side by side on lanes, where it finds these apart when it begins: 'row' and 'n'
void table(int** rows) {
  int shift = 3;
  cilk_for (int i = 0; i < 40; i++) {
    int *row = rows[i], first = i + shift;
    if (i % 7 == 6) row[0]++;
    for (int j = 0; j < n; j++) row[j] += first * j;
    row[n - 1] -= i;
  }
}

// CHECK-DAG: steps (cilk_for in line [[@LINE+2]]): each iteration on one lane of a GPU: a loop in it ends at different times
void steps(int* of) {
  cilk_for (int i = 0; i < n; i++) {
    unsigned at = (unsigned)i + 1;
    while (at != 1) {
      at = at % 2 == 0 ? at / 2 : 3 * at + 1;
      of[i]++;
    }
  }
}

// CHECK-DAG: sums (cilk_for in line [[@LINE+2]]): side by side on lanes of a GPU
void sums(double* to, int** rows) {
  cilk_for (int i = 0; i < 40; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++) sum += 1.0 / (1 + abs(rows[i][j]));
    to[i] = sum;
  }
}

int main(void) {
  long* a = calloc(n, sizeof *a);
  int* b = calloc(n, sizeof *b);
  double* c = calloc(40, sizeof *c);
  int** rows = malloc(40 * sizeof *rows);
  long hash = 0;
  double sum = 0;
  for (int i = 0; i < n; i++) b[i] = i * 7 % 23;
  for (int i = 0; i < 40; i++) rows[i] = calloc(n, sizeof **rows);
  squares(a, b);
  down(a, 1);
  down(a, 4);
  table(rows);
  table(rows);
  steps(b);
  sums(c, rows);
  for (int i = 0; i < n; i++) hash = hash * 31 + a[i] + b[i];
  for (int i = 0; i < 40; i++) {
    for (int j = 0; j < n; j++) hash = hash * 31 + rows[i][j];
    sum += c[i] * i;
    free(rows[i]);
  }
  printf("%ld %.17g\n", hash, sum);
  free(rows);
  free(c);
  free(b);
  free(a);
}
