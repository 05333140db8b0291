// Why a function has no plain form that is a task: --explain says what stands in the way, and where.
// RUN: %cilk2chan -w -std=c++20 --explain --emit=tasks %s -o %t.cpp 2>&1 | FileCheck %s
#include <cilk/cilk.h>

#include <vector>

// Templates and members are no reason.
template <class T>
static T counts(T n) {
  static int calls;  // CHECK-DAG: counts: stays on the host{{.*}}reasons.cpp:[[@LINE]]:14: it keeps a static variable that is no constant
  if (n < 2) return n + calls;
  T a = cilk_spawn counts(n - 1);
  cilk_sync;
  return a;
}
struct machine {
  int parts;
  int run(int n) const {
    if (n < 2) return parts;
    int a = cilk_spawn run(n - 1);
    __asm__("");  // CHECK-DAG: run: stays on the host{{.*}}reasons.cpp:[[@LINE]]:5: inline assembly in a function that spawns is not supported
    cilk_sync;
    return a;
  }
};
// What calls one that stays says no more than that: the other has a line of its own.
template <class T>
static T calls(T n) {  // CHECK-DAG: calls: stays on the host{{.*}}reasons.cpp:[[@LINE]]:10: it calls 'counts', which stays on the host{{$}}
  T a = cilk_spawn counts(n);
  cilk_sync;
  return a;
}
// A function between the two, which has none.
static int between(const int& n) {
  static int last;
  last = n;
  return counts(last);
}
static int above(int n) {
  int a = cilk_spawn between(n);  // CHECK-DAG: above: stays on the host{{.*}}reasons.cpp:[[@LINE]]:22: it calls 'between', which stays on the host: {{.*}}: it keeps a static variable that is no constant
  cilk_sync;
  return a;
}
// What calls by way of a template.
template <class F>
static int applied(F f, int n) {  // CHECK-DAG: applied: stays on the host{{.*}}reasons.cpp:[[@LINE]]:12: it calls 'operator()', which stays on the host
  if (n < 2) return f(n);
  int a = cilk_spawn applied(f, n - 1);
  cilk_sync;
  return a;
}
static int with_lambda(int n) {
  const auto spawns = [n](int k) {
    int a = cilk_spawn above(k);
    cilk_sync;
    return n + a;
  };
  return applied(spawns, 3);
}

int main() {
  int done[4] = {};
  std::vector<int> left;
  for (int i = 0; i < 4; ++i) {
    done[i] = cilk_spawn counts(i);
    if (i == 2) goto end;  // CHECK-DAG: main: stays on the host{{.*}}reasons.cpp:[[@LINE]]:17: a jump leaves what runs in parallel here, or leads into it
    cilk_sync;
  }
end:
  return done[0] + machine{3}.run(4) + calls(2) + above(3) + with_lambda(1);
}
