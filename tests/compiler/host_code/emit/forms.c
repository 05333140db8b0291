// What each form of spawn becomes in C.
// RUN: %cilk2chan --emit=source --no-line %s | grep -v CHECK | FileCheck %s
#include <cilk/cilk.h>

struct pair { int a, b; };
int leaf(int n);
void quiet(double* p, struct pair s);
float ratio(int n);
int (*pointer)(int, char);
int* place(int n);

// CHECK: static void forms_spawn_3_run(void* cilk_closure) {
// CHECK: cilk_child->cilk_value = leaf(cilk_child->n);
// CHECK: static void forms_spawn_3_finish(void* cilk_closure) {
// CHECK: *cilk_child->cilk_result += cilk_child->cilk_value;
// CHECK: channels_cilk_give(cilk_frame, forms_spawn_3_run, forms_spawn_3_finish, &cilk_child, sizeof cilk_child);
// CHECK: *cilk_child->cilk_result = cilk_child->cilk_callee(cilk_child->argument_1, cilk_child->argument_2);
void forms(int n, struct pair* p, double d[n]) {
  int a[3], i = 0;
  // CHECK: const int c = 1; long x; channels_cilk_hungry(&cilk_frame) ? forms_spawn_1(&cilk_frame, &x, n) : (void)(x = leaf(n)); long * y = 0, z;
  const int c = 1; long x = cilk_spawn leaf(n), * y = 0, z;
  // CHECK: channels_cilk_hungry(&cilk_frame) ? forms_spawn_2(&cilk_frame, &a[i++], n) : (void)(a[i++] = leaf(n));
  a[i++] = cilk_spawn leaf(n);
  // CHECK: channels_cilk_hungry_or_pending(&cilk_frame) ? forms_spawn_3(&cilk_frame, &p->a, n) : (void)(p->a += leaf(n));
  p->a += cilk_spawn leaf(n);
  // CHECK: channels_cilk_hungry_or_pending(&cilk_frame) ? forms_spawn_4(&cilk_frame, &d[0], n) : (void)(d[0] *= ratio(n));
  d[0] *= cilk_spawn ratio(n);
  // CHECK: channels_cilk_hungry(&cilk_frame) ? forms_spawn_5(&cilk_frame, d, *p) : (void)(quiet(d, *p));
  cilk_spawn quiet(d, *p);
  // CHECK: channels_cilk_hungry(&cilk_frame) ? forms_spawn_6(&cilk_frame, &(*place(n)), pointer, 1, 'c') : (void)(*place(n) = pointer(1, 'c'));
  *place(n) = cilk_spawn pointer(1, 'c');
  // CHECK: int w; channels_cilk_hungry(&cilk_frame) ? forms_spawn_7(&cilk_frame, &w, n) : (void)(w = leaf(n));
  const int w = cilk_spawn leaf(n);
  // CHECK: n ? (channels_cilk_hungry(&cilk_frame) ? forms_spawn_8(&cilk_frame, n) : (void)((void)(leaf(n)))) : (void)(0);
  n ? cilk_spawn leaf(n) : 0;
  // CHECK: return (void)(leaf(n) + 1);
  return (void)(cilk_spawn leaf(n) + 1);
}
