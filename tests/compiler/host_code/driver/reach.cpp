// RUN: %cilk2chan --net=mpi --explain --emit=source -o %t.out.cpp %s 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=SOURCE %s < %t.out.cpp
#include <cilk/cilk.h>

#include <array>
#include <cstdint>

constexpr std::array<int, 3> weights = {1, 2, 3};

struct board {
  std::uint32_t free = 0;
  [[nodiscard]] board without(int i) const { return {free & ~(1U << i)}; }
};

// SOURCE: channels::cilk::give_travelling<"count">{
// SOURCE: channels::cilk::give_travelling_and_finish<"count">{
// CHECK-LABEL: count: host code
// CHECK-NEXT: reach: world
long count(board b, long n) {
  if (b.free == 0) return n;
  // CHECK-NEXT: line [[@LINE+1]]: spawn of 'count', {{.*}}, also of another rank
  long sum = cilk_spawn count(b.without(0), n);
  // CHECK-NEXT: line [[@LINE+1]]: spawn of 'count', {{.*}}, also of another rank
  for (int i = 1; i < 3; ++i) sum += cilk_spawn count(b.without(i), n * weights[i]);
  cilk_sync;
  return sum;
}

// CHECK-LABEL: of_reference: host code
// CHECK-NEXT: reach: host: {{.*}}its parameter 'b' is no value without pointers
long of_reference(const board& b) {
  long x = cilk_spawn of_reference(b);
  cilk_sync;
  return x;
}

// CHECK-LABEL: throws: host code
// CHECK-NEXT: reach: host: {{.*}}it throws
long throws(int n) {
  if (n < 0) throw n;
  long x = cilk_spawn throws(n - 1);
  cilk_sync;
  return x;
}

// CHECK-LABEL: by_virtual: host code
// CHECK-NEXT: reach: host: {{.*}}it is called, or calls, through a pointer
struct base {
  virtual int value() const { return 1; }
};
long by_virtual(int n) {
  base b;
  base* p = n > 0 ? &b : nullptr;
  long x = cilk_spawn by_virtual(p->value());
  cilk_sync;
  return x;
}

template <class T>
T of_template(T n) {
  // CHECK: line [[@LINE+1]]: spawn, {{.*}}, of this rank: {{.*}}the spawn is in a template
  T x = cilk_spawn of_template(n - 1);
  cilk_sync;
  return x;
}
long use = of_template(3L);
