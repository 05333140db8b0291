// Ways by which a pointer or reference to a variable gets out of sight in C++.
// RUN: %cilk2chan --device=emulated --explain --emit=tasks -o /dev/null %s 2>&1 | FileCheck %s
// CHECK-NOT: {{^}}out_{{.*}}copied
// CHECK: {{^}}in_: variable, copied
// CHECK-NOT: {{^}}out_{{.*}}copied
// CHECK-NOT: {{^}}in_{{.*}}used
#include <cilk/cilk.h>

#include <cstdio>
#include <functional>
#include <utility>

struct point {
  int x, y;
  point& self() { return *this; }
};
struct reference {
  int& of;
};
struct initialised {
  int& of;
  int copy;
  initialised();
};

static int in_, in_by_value, in_template, in_reference, in_list, in_row[4], in_copied_by_lambda;
static point in_point, in_bound;
static int out_returned, out_in_structure, out_swapped, out_wrapped, out_named, out_default, out_static, out_captured,
    out_also_captured, out_by_constant, out_assigned, out_of_initialiser, out_through_template, out_of_lambda, out_by_range[4], out_by_cast;
static point out_self, out_bound, out_range[2];

static int* kept;
static int& returns() { return out_returned; }
template <int* P>
int named() {
  return *P;
}
static int by_default(int& value = out_default) { return value; }
initialised::initialised() : of(out_of_initialiser), copy(in_by_value) {}
template <class T>
void keeps(T& value) {
  kept = &value;
}
template <class T>
T twice(const T& value) {
  return value + value;
}

static void host(bool choice) {
  returns() = 1;
  reference held{out_in_structure};
  std::swap(out_swapped, held.of);
  auto wrapped = std::ref(out_wrapped);
  named<&out_named>();
  by_default();
  static int& still = out_static;
  int& here = choice ? out_captured : out_also_captured;
  auto lambda = [&here] { here = 1; };
  lambda();
  int& constant = out_by_constant;
  kept = &constant;
  kept = &(out_assigned = 2);
  initialised made;
  keeps(out_through_template);
  auto gives = [] { return &out_of_lambda; };
  kept = gives();
  for (int& each : out_by_range) kept = &each;
  kept = reinterpret_cast<int*>(reinterpret_cast<char*>(&out_by_cast));
  out_self.self().x = 1;
  auto& [x, y] = out_bound;
  for (auto& [a, b] : out_range) kept = &a;

  int local = twice(in_template);
  int& alias = in_reference;
  alias += local;
  int listed[] = {in_list};
  for (int& each : in_row) each += listed[0];
  auto [low, high] = in_bound;
  auto copies = [value = in_copied_by_lambda] { return value; };
  in_point = point{copies(), low + high};
  wrapped.get() = x + y + still + made.of;
}

int task(int n) {
  if (n > 0) {
    int left = cilk_spawn task(n - 1);
    int right = task(n - 1);
    cilk_sync;
    return left + right;
  }
  in_ += in_by_value + in_template + in_reference + in_list + in_row[0] + in_copied_by_lambda + in_point.x +
         in_bound.x;
  in_ += out_returned + out_in_structure + out_swapped + out_wrapped + out_named + out_default + out_static +
         out_captured + out_also_captured + out_by_constant + out_assigned + out_of_initialiser + out_through_template + out_of_lambda + out_by_range[0] +
         out_by_cast + out_self.x + out_bound.x + out_range[0].x;
  return in_;
}

int main() {
  host(true);
  return task(3);
}
