// The same in C++: objects of Cilk Plus, members, references, loops over ranges, objects in the loop.
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --device=emulated --explain --emit=tasks %s -o %t.explained 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: %cilk2chan --device=emulated --emit=core --no-line %s | FileCheck %s
#include <cilk/cilk.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_min.h>
#include <cilk/reducer_opadd.h>
#include <cilk/reducer_opor.h>
#include <algorithm>
#include <cstdio>

constexpr int size = 2000;
static int data[size];

static void zero(void* v) { *static_cast<long*>(v) = 0; }
static void plus(void* l, void* r) { *static_cast<long*>(l) += *static_cast<long*>(r); }
static void lowest(void* v) { *static_cast<int*>(v) = -2147483647 - 1; }
static void larger(void* l, void* r) {
  *static_cast<int*>(l) = std::max(*static_cast<int*>(l), *static_cast<int*>(r));
}
using sum_reducer = long cilk_reducer(zero, plus);
using most_reducer = int cilk_reducer(lowest, larger);

// EXPLAIN-DAG: {{^}}total: variable, copied to devices and back
// EXPLAIN-DAG: {{^}}unset: variable, copied to devices and back
// EXPLAIN-DAG: {{^}}most: variable, copied to devices and back
static cilk::reducer<cilk::op_add<long>> total(3);
static cilk::reducer<cilk::op_or<unsigned>> bits(64);
static cilk::reducer<cilk::op_max<int>> unset;
static cilk::reducer<cilk::op_max<int>> most;
static cilk::reducer<cilk::op_min<int>> least(50000);
static sum_reducer plain = 4;

struct counter {
  sum_reducer calls = 0;
  most_reducer far = -1;
  int weight = 3;
  // CHECK-LABEL: {{^static void add_.*}}(counter *cilk_this, int begin, int end){{$}}
  // CHECK: for (int i = begin
  // CHECK-NOT: __atomic
  // CHECK: {{^}}if (cilk_value
  void add(int begin, int end) {
    for (int i = begin; i < end; i++) {
      calls += weight;
      far = std::max(far, data[i]);
    }
    for (int& each : data) calls += each & 1;
  }
  void all(int begin, int end) {
    if (end - begin > 200) {
      const int middle = begin + (end - begin) / 2;
      cilk_spawn all(begin, middle);
      all(middle, end);
      return;
    }
    add(begin, end);
  }
};

struct pair {
  int a, b;
  pair(int first, int second) : a(first), b(second) {}
  int sum() const { return a + b; }
};
struct counted {
  int n;
  void note() const { plain += n; }
};

// CHECK-LABEL: {{^.*void sums_.*}}(int begin, int end){{$}}
// CHECK: for (int i = begin
// CHECK-NOT: __atomic
// CHECK: {{^}}if (cilk_value
static void sums(int begin, int end) {
  if (end - begin > 200) {
    const int middle = begin + (end - begin) / 2;
    cilk_spawn sums(begin, middle);
    sums(middle, end);
    return;
  }
  for (int i = begin; i < end; i++) {
    *total += data[i];
    if (data[i] & 2) ++*total;
    *bits |= static_cast<unsigned>(data[i] & 31);
    most->calc_max(data[i]);
    if (data[i] % 2) least->calc_min(data[i] + 1);
    if (data[i] < 0) unset->calc_max(data[i]);
    plain += pair(i, data[i]).sum();
  }
}
// An object that changes the reducer, and a pointer to a reducer.
static void objects(sum_reducer* other, int n) {
  for (int i = 0; i < n; i++) {
    const counted one{data[i]};
    one.note();
    plain += 5;
    *other += 7;
  }
}

static void all(counter& here) {
  sums(0, size);
  here.all(0, size);
  cilk_spawn objects(&plain, 100);
  cilk_spawn here.all(0, 900);
  cilk_sync;
}

int main() {
  for (int i = 0; i < size; i++) data[i] = static_cast<int>((i * 2654435761u) >> 20) % 1000 + 1;
  counter here;
  all(here);
  std::printf("%ld %u %d %d %d %ld\n", total.get_value(), bits.get_value(), most.get_value(), least.get_value(),
              static_cast<int>(unset.view().is_set()), plain);
  std::printf("%ld %d\n", here.calls, here.far);
}
