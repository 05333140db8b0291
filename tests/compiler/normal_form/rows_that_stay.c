// What uses pointers to arrays of variable length in ways that plain forms have no words for stays
// on the host, with its answer.
// RUN: %host-code-run-and-compare %s
// RUN: %cilk2chan -w --device=emulated %s -o %t.device 2>&1 | FileCheck %s
// RUN: %cilk2chan --serial -w %s -o %t.serial && %t.serial > %t.expected
// RUN: %cilk2chan -w --explain --emit=tasks %s -o %t.host 2>&1 | FileCheck --check-prefix=HOST %s
// HOST-NOT: called: stays on the host
// HOST: tasks:
// RUN: %t.device | diff %t.expected -
// RUN: env CHANNELS_ORDER=channels %t.device 2>/dev/null | diff %t.expected -
// RUN: env CHANNELS_DEVICE=emulated %t.device 2>/dev/null | diff %t.expected -
#include <cilk/cilk.h>
#include <stdio.h>

// An effect in a size, which a call evaluates once.
// CHECK-DAG: effects: stays on the host{{.*}} the size of an array of variable length has an effect
static int effects(int h, int w, int g[h][w++], int y) {
  if (y == h) return 0;
  int a = cilk_spawn effects(h, w - 1, g, y + 1);
  cilk_sync;
  return a + g[y][0] + w;
}
// CHECK-DAG: outer_effect: stays on the host{{.*}} the size of an array of variable length has an effect
static int outer_effect(int n, int g[n++]) {
  if (n > 9) return n;
  int a = cilk_spawn outer_effect(n + 1, g);
  cilk_sync;
  return a + g[n];
}
// CHECK-DAG: effect_of_sizeof: stays on the host{{.*}} the size of an array of variable length has an effect
static int effect_of_sizeof(int h, int w, int g[h][w], int y) {
  if (y == h) return 0;
  int a = cilk_spawn effect_of_sizeof(h, w, g, y + 1);
  int n = 2;
  cilk_sync;
  a += (int)sizeof(int[n++]) + (int)sizeof g[n++];
  return a * n;
}
// Functions that get such arrays through pointers, and those of headers and other files.
typedef int (*visitor)(int h, int w, int g[h][w]);
static int visit(int h, int w, int g[h][w]) { return g[h - 1][w - 1]; }
// CHECK-DAG: through: stays on the host{{.*}} an array of variable length is used in a way that is not known
static int through(int h, int w, int g[h][w], visitor v, int y) {
  if (y == h) return 0;
  int a = cilk_spawn through(h, w, g, v, y + 1);
  cilk_sync;
  return a + v(h, w, g);
}
// CHECK-DAG: elsewhere: stays on the host{{.*}} an array of variable length is used in a way that is not known
int somewhere(int h, int w, int g[h][w]) __asm__("visited");
static int elsewhere(int h, int w, int g[h][w], int y) {
  if (y == h) return 0;
  int a = cilk_spawn elsewhere(h, w, g, y + 1);
  cilk_sync;
  return a + somewhere(h, w, g);
}
// What asks for a type.
// CHECK-DAG: asks: stays on the host{{.*}} an array of variable length is used in a way that is not known
static int asks(int h, int w, int g[h][w], int y) {
  if (y == h) return 0;
  int a = cilk_spawn asks(h, w, g, y + 1);
  cilk_sync;
  return a + _Generic(g, int(*)[5]: 1, int*: 2, default: 3) + (int)_Alignof(int[w]);
}
// A loop over rows.
// CHECK-DAG: parallel: stays on the host{{.*}} an array of variable length is used in a way that is not known
static int parallel(int h, int w, int g[h][w]) {
  cilk_for(int(*p)[w] = g; p != g + h; p++)(*p)[0] = w;
  return g[h - 1][0] + g[0][0];
}
// A type whose size was taken outside of what becomes a task.
static long around(int n, int* data, ...) {
  typedef int line[n];
  long all = 0;
  n = 1;
  cilk_for(int i = 0; i < 3; i++) {
    line* rows = (line*)data;
    rows[i][1] += (int)sizeof(line);
  }
  for (int i = 0; i < 15; i++) all = all * 3 + data[i];
  return all;
}
// A task whose plain form would not do stays a task.
// CHECK-NOT: cast: stays
static long cast(void* data, int w, int y) {
  if (y == 0) return 0;
  long a = cilk_spawn cast(data, w, y - 1);
  cilk_sync;
  int n = w;
  return a + ((int(*)[n++])data)[y - 1][0] + n;
}
// What calls such a function and has no such arrays of its own is a task of the host's all the same.
static int visit_all(int h, int w, int g[h][w], visitor v) { return v(h, w, g) + g[0][0]; }
static int of_fixed(int n) {
  int g[2][2] = {{1, 2}, {n, 4}};
  return visit_all(2, 2, g, visit);
}
static int called(int n) {
  if (n < 2) return of_fixed(n);
  int a = 0;
  a += cilk_spawn called(n - 1);
  a += called(n - 2) + called(n / 2);
  cilk_sync;
  return a;
}
__attribute__((used)) static int visited(int h, int w, int g[h][w]) __asm__("visited");
static int visited(int h, int w, int g[h][w]) { return g[0][0] * h * w; }

int main(void) {
  int h = 3, w = 5, g[15];
  for (int i = 0; i < 15; i++) g[i] = i * 3;
  int(*rows)[w] = (int(*)[w])g;
  printf("%d %d %d\n", effects(h, w, rows, 0), outer_effect(3, g), effect_of_sizeof(h, w, rows, 0));
  printf("%d %d %d\n", through(h, w, rows, visit, 0), elsewhere(h, w, rows, 0),
         asks(h, w, rows, 0));
  printf("%d %ld %ld\n", parallel(h, w, rows), around(w, g), cast(g, w, h));
  printf("%d\n", called(9));
  return 0;
}
