// Members, templates and virtual methods of the program's own headers are for devices as those of the file, and so are
// variables that are members of classes, inline, or named with their namespace. Headers of the command line are not read in.
// RUN: %cilk2chan -O0 --device=emulated -I %S/files %s -o %t.out 2>&1 | FileCheck --allow-empty --implicit-check-not=stays %s
// RUN: %cilk2chan --serial -I %S/files %s -o %t.serial && %t.serial | FileCheck --check-prefix=RESULT %s
// RUN: env CHANNELS_DEVICE=emulated %t.out | FileCheck --check-prefix=RESULT %s
// RUN: %cilk2chan -O0 --device=emulated -DFORCED -include %S/files/templates.hpp -c %s -o %t.o 2>&1 | FileCheck --check-prefix=FORCED %s
#include <cilk/cilk.h>

#include <cstdio>

#ifndef FORCED
#include "parts.hpp"

// RESULT: 165 110
int shape::made = 0;
const int settings::height = 5;
namespace counts {
int table[3] = {1, 2, 3};
int runs;
}  // namespace counts
static inline int own = 4;

// Names of the host's variables in a class, a template and a lambda.
// So is a static object that never changes, and a type of a name that tasks have, if it is a class's.
struct reader {
  struct frame {
    int n, m;
  };
  int read(frame at) const {
    static constexpr frame rows[] = {{1, 2}, {3, 4}};
    return counts::table[at.n % 3] + settings::height * rows[at.m].m + settings::scale;
  }
};
template <class T>
T read_all(T n) {
  auto one = [](T i) { return counts::table[i] * own; };
  return one(0) + one(n % 3) + line::lengths[n % 2];
}

long sum(field<int>& to, const shape& what, int lo, int hi) {
  const reader::frame row{lo, lo % 2};
  if (hi - lo < 2) {
    to.at(lo, 0) = what.area(lo) + twice(lo) + reader().read(row) + read_all(lo);
    if (lo == 0) counts::runs += ++shape::made;
    return to.at(lo, 0);
  }
  const int middle = (lo + hi) / 2;
  long left = cilk_spawn sum(to, what, lo, middle);
  long right = sum(to, what, middle, hi);
  cilk_sync;
  return left + right;
}
#else
// FORCED: warning: calls_twice: stays on the host{{.*}}: 'twice', which a task calls, is a member or a template of a header
#endif

int goes(int n) {
  if (n < 2) return n * 3;
  int x = cilk_spawn goes(n - 1);
  int y = cilk_spawn goes(n - 2);
  cilk_sync;
  return x + y;
}
int calls_twice(int n) {
  if (n < 2) return twice(n);
  int x = cilk_spawn calls_twice(n - 1);
  int y = cilk_spawn calls_twice(n - 2);
  cilk_sync;
  return x + y;
}

int main() {
  std::printf("%d %d\n", goes(10), calls_twice(10));
#ifndef FORCED
  field<int> to(9, 1);
  // RESULT-NEXT: 467 1 1 49
  std::printf("%ld %d %d %d\n", sum(to, square(2), 0, 9), shape::made, counts::runs, to.at(1, 0));
  settings::scale = 7;
  counts::table[1] = 30;
  // RESULT-NEXT: 1007 2 3 207
  std::printf("%ld %d %d %d\n", sum(to, line(3), 0, 9), shape::made, counts::runs, to.at(1, 0));
#endif
}
