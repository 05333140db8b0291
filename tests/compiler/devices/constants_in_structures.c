// Constants of enumerations that stand inside of structures, which C++ knows as members alone.
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan -O0 --device=emulated --explain %s -o %t.out 2>&1 | FileCheck %s
// CHECK: tasks: 1 of 1 functions
#include <cilk/cilk.h>
#include <stdio.h>

struct term {
  enum { NUMBER, SUM, PRODUCT = 7, LESS = -2 } kind;
  union {
    long number;
    struct {
      enum { LEFT = 3, RIGHT } first;
      const struct term* terms[2];
    } pair;
  } is;
};

static int weight(int side) { return side == LEFT ? 2 : RIGHT; }

static long value(const struct term* t) {
  switch (t->kind) {
    case NUMBER: return t->is.number;
    case LESS: return -1;
    default: break;
  }
  long a = cilk_spawn value(t->is.pair.terms[0]);
  long b = value(t->is.pair.terms[1]);
  cilk_sync;
  return (t->kind == SUM ? a + b : a * b) + weight(t->is.pair.first) + PRODUCT;
}

int main(void) {
  struct term leaves[3] = {{NUMBER, {5}}, {LESS, {0}}, {NUMBER, {4}}};
  struct term sum = {SUM, {0}};
  sum.is.pair.first = RIGHT;
  sum.is.pair.terms[0] = &leaves[0];
  sum.is.pair.terms[1] = &leaves[1];
  struct term all = {PRODUCT, {0}};
  all.is.pair.first = LEFT;
  all.is.pair.terms[0] = &sum;
  all.is.pair.terms[1] = &leaves[2];
  printf("%ld\n", value(&all));
}
