// Names of headers that this program does not include, and that the text of tasks does.
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan -O0 --device=emulated --explain %s -o %t.out 2>&1 | FileCheck %s
// CHECK: tasks: 1 of 1 functions
#include <cilk/cilk.h>
#include <stdio.h>

enum { pipe = 3 };
struct tm {
  int time;
};
static int index = 4;
int y1 = 5;
static const int log[] = {1, 2};
typedef long timer_t;
static int round(int n) { return n * 2; }

static timer_t count(struct tm at, int link) {
  if (at.time < 2) return round(at.time) + pipe + index + y1 + log[at.time] + link;
  const struct tm before = {at.time - 1};
  timer_t a = cilk_spawn count(before, link + 1);
  timer_t b = count((struct tm){at.time - 2}, link);
  cilk_sync;
  return a + b;
}

int main(void) {
  const struct tm now = {10};
  index += 2;
  y1 *= 3;
  printf("%ld %d %d\n", count(now, 1), index, y1);
}
