// Loops and iterations that go through in one strand look a reducer up once; others at each use.
// RUN: %cilk2chan --emit=source --no-line %s | grep -v CHECK | FileCheck %s
#include <cilk/cilk.h>

void zero(void* view);
void add(void* left, void* right);
void work(int n);
long cilk_reducer(zero, add) total;
struct tally { long cilk_reducer(zero, add) sum; } all;

// CHECK: static void body_for_1_run(
// CHECK: {{^}}  __typeof__(total)* const cilk_view_[[ITERATIONS:[0-9]+]] = &CHANNELS_CILK_VIEW(total, zero, add);
// CHECK-NEXT: {{^}}  for (int i =
// CHECK: { (*cilk_view_[[ITERATIONS]]) += i; work(i); }
void body(int n) { cilk_for (int i = 0; i < n; i++) { total += i; work(i); } }

void loops(int n, struct tally* other) {
  // CHECK: { __typeof__(total)* const cilk_view_[[OUTER:[0-9]+]] = &CHANNELS_CILK_VIEW(total, zero, add);
  // CHECK-SAME: &CHANNELS_CILK_VIEW(all.sum, zero, add); for (int i = 0; i < n; i++)
  // CHECK-NEXT: for (int k = 0; k < i; k++) (*cilk_view_[[OUTER]]) += (*cilk_view_{{[0-9]+}}); }
  for (int i = 0; i < n; i++)
    for (int k = 0; k < i; k++) total += all.sum;
  // What a pointer leads to is looked up where it is used.
  // CHECK: while (n--) CHANNELS_CILK_VIEW(other->sum, zero, add)++;
  while (n--) other->sum++;
}
void strands(int n) {
  // CHECK: for (int i = 0; i < n; i++) {
  for (int i = 0; i < n; i++) {
    cilk_spawn work(i);
    // CHECK: {{^}}    CHANNELS_CILK_VIEW(total, zero, add)++;
    total++;
    // CHECK: { __typeof__(total)* const cilk_view_[[INNER:[0-9]+]] = {{.*}}; do (*cilk_view_[[INNER]])--; while (--n); }
    do total--; while (--n);
  }
  // CHECK: for (;;) { CHANNELS_CILK_VIEW(total, zero, add)++; channels_cilk_sync(&cilk_frame);
  for (;;) { total++; cilk_sync; }
}
