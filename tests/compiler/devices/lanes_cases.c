// What lanes share in a leaf and what one of them does: calls for which a function spawns nothing, spawned functions,
// values that one lane hands to the others, promises, and what happens without the comparison of pointers.
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --device=emulated --explain --emit=tasks %s -o %t.explained 2>&1 | FileCheck %s
// RUN: %cilk2chan --device=emulated --emit=tasks --no-line %s | FileCheck %s --check-prefix=TASKS
// RUN: %cilk2chan --serial %s -o %t.serial && %t.serial > %t.expected
// Pointers that are not compared are a mistake that shows:
// RUN: mkdir -p %t.mutant/channels/gpu/compiled_program
// RUN: sed 's/return false;/return true;/; s/return a.stride_ == .*/return true;/; s/^ *most(a.near_high_.*//' %S/../../../include/channels/gpu/compiled_program/lanes.hpp > %t.mutant/channels/gpu/compiled_program/lanes.hpp
// RUN: %cilk2chan -O0 --device=emulated -I %t.mutant %s -o %t.mutant.out
// RUN: env CHANNELS_DEVICE=emulated %t.lowered | diff %t.expected -
// RUN: env CHANNELS_DEVICE=emulated %t.mutant.out | not diff %t.expected -
// A function that spawns nothing but small things is as it was.
// TASKS-NOT: {{leaf_of[_]fib}}
#include <channels/group.h>
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

enum { size = 200 };

// CHECK-DAG: {{^}}fill: lanes of a GPU share its leaves
static int fill(int* of, int count, int from) {
  for (int i = 0; i < count; i++) of[i] = from + i * i;
  return count ? of[count - 1] : 0;
}

// The value of a call that does more than compute is one lane's, and all get it.
static int state = 1;
static int next(void) { return state = state * 5 % 1009; }
// CHECK-DAG: {{^}}mixed: lanes of a GPU share its leaves
static long mixed(int* of, int count) {
  int seed = next(), i, last = -1, sum;
  of[0] += seed;
  for (i = 0; i < count; i++) {
    last = of[i] ^ seed;
    of[i] = last & 1023;
  }
  sum = next() + last + i;
  if (of[count / 2] > sum % 700) {
    of[1] = sum & 63;
    sum += next();
  }
  do {
    for (int j = 0; j < count; j += 3) of[j] = (of[j] + sum) & 511;
    sum -= 300;
  } while (sum > 0);
  switch (sum & 3) {
    case 0: of[2]++; break;
    case 1: of[3] -= 2; break;
    default: of[4] ^= 1;
  }
  return sum + next();
}

// CHECK-DAG: {{^}}moved: lanes of a GPU share its leaves
// CHECK-DAG:   line [[@LINE+3]]: side by side on lanes, where it finds these apart when it begins: 'to' and 'from'
// One after the other where they overlap: an iteration then uses what others store.
static int moved(int* to, int* from, int count) {
  for (int i = 0; i < count; i++) to[i] = (from[i] + i) & 255;
  return to[count - 1];
}

// CHECK-DAG: line [[@LINE+6]]: side by side on lanes, as the program promises
// CHECK-DAG: line [[@LINE+6]]: side by side on lanes{{$}}
static int placed(int* to, const int* where, int count) {
  int most = 0, least = 9000;
  long far = -1;
  CHANNELS_INDEPENDENT
  for (int i = 0; i < count; i++) to[where[i]] += i;
  for (int i = 0; i < count; i++) {
    if (to[i] > most) most = to[i];
    least = least < to[i] + i ? least : to[i] + i;
    far = far > (long)to[i] * i ? far : (long)to[i] * i;
  }
  return most * 3 + least + (int)far;
}

typedef struct {
  int rows, columns;
  double* at;
} matrix;
// CHECK-DAG: {{^}}transform: lanes of a GPU share its leaves
// CHECK-DAG:   line [[@LINE+4]]: side by side on lanes
void transform(matrix* m, int first, int last) {
  if (last - first <= 2) {
    for (int r = first; r < last; r++)
      for (int c = 0; c < m->columns; c++) m->at[r * m->columns + c] = m->at[r * m->columns + c] * 2 + r - c;
    return;
  }
  cilk_spawn transform(m, first, (first + last) / 2);
  transform(m, (first + last) / 2, last);
  cilk_sync;
}

static void by_columns(double* a, double* b, int n, int row) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++) a[i * row + j] += b[k * row + j] * 0.25;
}

long fib(int n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

long all(int* a, int* where, matrix* m) {
  long one = cilk_spawn fill(a, size, 3);
  long two = cilk_spawn fill(a + size, 5, 7);
  cilk_sync;
  long three = cilk_spawn mixed(a, size);
  cilk_sync;
  long four = cilk_spawn moved(a + 1, a, size);
  cilk_sync;
  long five = cilk_spawn moved(a, a + 7, size);
  cilk_sync;
  long six = cilk_spawn moved(a, a + size + 9, size);
  cilk_sync;
  long seven = cilk_spawn placed(a, where, size);
  cilk_spawn transform(m, 0, m->rows);
  cilk_sync;
  cilk_spawn by_columns(m->at, m->at + 100, 9, 9);
  cilk_sync;
  cilk_spawn by_columns(m->at, m->at + 100, 9, 5);
  cilk_sync;
  cilk_spawn by_columns(m->at, m->at + 9, 9, 10);
  cilk_sync;
  long eight = fib(9);
  return one + 3 * two + 5 * three + 7 * four + 11 * five + 13 * six + 17 * seven + eight;
}

int main(void) {
  int* a = calloc(3 * size, sizeof *a);
  int* where = malloc(size * sizeof *where);
  matrix m = {20, 13, calloc(20 * 13, sizeof(double))};
  for (int i = 0; i < size; i++) where[i] = (i * 7 + 3) % size;
  printf("%ld\n", all(a, where, &m));
  long hash = 0;
  double sum = 0;
  for (int i = 0; i < 3 * size; i++) hash = hash * 31 + a[i];
  for (int i = 0; i < 20 * 13; i++) sum += m.at[i] * (i % 7);
  printf("%ld %d %.17g\n", hash, state, sum);
  free(m.at);
  free(where);
  free(a);
}
