// Copies of variables in C++: references, members, lambdas, templates and the library's minimum keep a variable in sight;
// methods, captured pointers and references in structures do not.
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --device=emulated --explain --emit=tasks -o /dev/null %s 2>&1 | FileCheck %s
#include <cilk/cilk.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace {

struct point {
  int x, y;
  int length() const { return x * x + y * y; }
};
// CHECK: {{^}}top: variable, copied to devices and back
int top;
// CHECK: {{^}}corner: variable, copied to devices and back
point corner{1, 2};
// CHECK: {{^}}scale: variable, copied to devices{{$}}
int scale = 2;
// CHECK: {{^}}grid: variable, copied to devices and back
int grid[8][8];
// CHECK: {{^}}step: variable, copied to devices and back
int step;
// CHECK: {{^}}measured: variable, used where the host has it: {{.*}} a pointer to it gets out of sight
point measured{3, 4};
// CHECK: {{^}}caught: variable, used where the host has it: {{.*}} a pointer to it gets out of sight
int caught[2];
// CHECK: {{^}}held: variable, used where the host has it: {{.*}} a pointer to it gets out of sight
int held;
// CHECK: {{^}}refilled: variable, copied to devices and back
int refilled;

struct holder {
  int& of;
};

template <class T>
T raised(T& to, T by) {
  to += by;
  return to;
}

}  // namespace
// CHECK: {{^}}outside: variable, copied to devices and back
int outside;

namespace {

void note(int& place, int value) {
  int& same = place;
  same = value > same ? value : same;
}

}  // namespace

void walk(int row, int lo, int hi) {
  if (hi - lo == 1) {
    (scale == 2 ? grid : grid)[row][lo] += row * scale + lo;
    return;
  }
  int mid = (lo + hi) / 2;
  cilk_spawn walk(row, lo, mid);
  walk(row, mid, hi);
  cilk_sync;
}

static void after() {
  point was = corner;
  corner = point{was.y, was.x + 1};
  top = std::max(top, corner.x);
  note(grid[1][1], 50);
  (step += 2)++;
  raised(outside, 3);
  auto add = [&](int n) { corner.y += n; };
  add(10);
  held += 1;
  refilled += 1;
  caught[1] += caught[0];
  measured.x += measured.y;
}

int main_task(int rows) {
  for (int row = 0; row < rows; row++) cilk_spawn walk(row, 0, 8);
  cilk_sync;
  after();
  return rows;
}

int main() {
  holder to_it{held};
  int* const refill = &refilled;
  auto host = [p = caught](int n) { p[0] += n; };
  for (int run = 0; run < 3; run++) {
    to_it.of += 5;
    *refill *= 2;
    host(run);
    main_task(8);
    int sum = 0;
    for (const auto& row : grid)
      for (int cell : row) sum = sum * 3 + cell;
    std::printf("%d %d %d %d %d %d %d\n", run, sum, top, corner.x, corner.y, step, outside);
    std::printf("%d %d %d %d\n", measured.length(), caught[1], held, refilled);
    scale = run;
    std::memset(grid, 0, sizeof grid);
  }
}
