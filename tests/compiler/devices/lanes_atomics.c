// Relaxed atomic operations whose value nobody wants, in loops that lanes share: they commute with each other, and are compared
// with all else that the loop does.
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --device=emulated --explain --emit=tasks %s -o %t.explained 2>&1 | FileCheck %s
#include <cilk/cilk.h>
#include <stdio.h>

enum { size = 512 };
static long table[size];
static unsigned bits[4];
static int from[size], to[size];
struct held { int before; long counts[8]; struct { int at[3]; } rows[4][2]; int behind; } held;

static void fill(int begin, int end) {
  for (int i = begin; i < end; i++) {
    from[i] = (i * 7919 + begin) % 997;
    table[i] = i % 3;
  }
}

// CHECK-DAG: line [[@LINE+2]]: side by side on lanes, where it finds these apart when it begins: 'table' and 'values'
static void count(const int* values, int n) {
  for (int i = 0; i < n; i++) {
    (void)__atomic_fetch_add(&table[values[i] & 63], 1, __ATOMIC_RELAXED);
    (void)__atomic_fetch_sub(&table[i & 31], 2, __ATOMIC_RELAXED);
  }
}
// Called with the table itself: one lane runs it.
// CHECK-DAG: line [[@LINE+2]]: side by side on lanes, where it finds these apart when it begins: 'table' and 'values'
static void follow(const long* values, int n) {
  for (int i = 0; i < n; i++) (void)__atomic_fetch_add(&table[values[i] & 63], values[i] + 1, __ATOMIC_RELAXED);
}
// CHECK-DAG: line [[@LINE+2]]: side by side on lanes
static void different(int n) {
  for (int i = 0; i < n; i++) {
    (void)__atomic_fetch_or(&bits[from[i] & 3], 1u << (from[i] & 15), __ATOMIC_RELAXED);
    (void)__atomic_fetch_add(&held.counts[from[i] & 7], from[i], __ATOMIC_RELAXED);
    to[i] = from[i] / 2;
  }
}
// Other members of the same variable.
// CHECK-DAG: line [[@LINE+2]]: side by side on lanes
static void members(int n) {
  for (int i = 0; i < n; i++) {
    (void)__atomic_fetch_add(&held.counts[from[i] & 7], held.before + i, __ATOMIC_RELAXED);
    (void)__atomic_fetch_xor(&held.rows[i & 3][from[i] & 1].at[from[i] & 2], i, __ATOMIC_RELAXED);
  }
}
// Two operations that do not commute, on what may be the same element.
// CHECK-DAG: line [[@LINE+2]]: one after the other
static void mixed(int n) {
  for (int i = 0; i < n; i++) {
    (void)__atomic_fetch_add(&bits[from[i] & 3], 3u, __ATOMIC_RELAXED);
    (void)__atomic_fetch_xor(&bits[to[i] & 3], 5u, __ATOMIC_RELAXED);
  }
}
// An element is read.
// CHECK-DAG: line [[@LINE+2]]: one after the other
static void reads(int n) {
  for (int i = 0; i < n; i++) {
    (void)__atomic_fetch_add(&table[from[i] & 63], 1, __ATOMIC_RELAXED);
    to[i] = (int)table[i & 63];
  }
}
// CHECK-DAG: line [[@LINE+2]]: one after the other: a statement in it is not for several lanes
static void ordered(int n) {
  for (int i = 0; i < n; i++) {
    (void)__atomic_fetch_add(&table[from[i] & 63], 1, __ATOMIC_SEQ_CST);
    to[i] = i;
  }
}
// CHECK-DAG: line [[@LINE+2]]: one after the other: a statement in it is not for several lanes
static void wants(int n) {
  for (int i = 0; i < n; i++) to[i] = (int)__atomic_fetch_add(&table[from[i] & 63], 1, __ATOMIC_RELAXED);
}
// Each lane would have an array of its own.
// CHECK-DAG: line [[@LINE+4]]: one after the other: a statement in it is not for several lanes
static void local(int n) {
  int counts[16];
  for (int i = 0; i < 16; i++) counts[i] = 0;
  for (int i = 0; i < n; i++) (void)__atomic_fetch_add(&counts[from[i] & 15], 1, __ATOMIC_RELAXED);
  for (int i = 0; i < 16; i++) to[i] += counts[i];
}
// Through a pointer it is not known how far the elements reach.
// CHECK-DAG: line [[@LINE+2]]: one after the other: where 'of[from[i] & 31]' is, is not known
static void pointed(long* of, int n) {
  for (int i = 0; i < n; i++) (void)__atomic_fetch_add(&of[from[i] & 31], 1, __ATOMIC_RELAXED);
}
// CHECK-DAG: line [[@LINE+2]]: side by side on lanes
static void strided(long* restrict of, int n) {
  for (int i = 0; i < n; i++) (void)__atomic_fetch_add(&of[i], from[i], __ATOMIC_RELAXED);
}
// In loops inside, and with a sum that iterations use.
static void nested(int n) {
  int kept = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 20; j++)
      (void)__atomic_fetch_add(&table[from[i * 20 + j] & 127], j, __ATOMIC_RELAXED);
  for (int i = 0; i < n * 20; i++) {
    (void)__atomic_fetch_add(&table[from[i] & 63], 1, __ATOMIC_RELAXED);
    if (from[i] & 1) to[kept++] = i;
  }
  to[size - 1] = kept;
}

static void all(void) {
  cilk_spawn fill(0, size);
  cilk_sync;
  cilk_spawn count(from, size);
  cilk_sync;
  cilk_spawn follow(table + 20, 300);
  cilk_sync;
  cilk_spawn follow(table + 100, 300);
  cilk_sync;
  cilk_spawn different(size);
  cilk_sync;
  cilk_spawn members(size);
  cilk_sync;
  cilk_spawn mixed(size);
  cilk_sync;
  cilk_spawn reads(size);
  cilk_sync;
  cilk_spawn ordered(size / 2);
  cilk_sync;
  cilk_spawn wants(size / 3);
  cilk_sync;
  cilk_spawn local(size);
  cilk_sync;
  cilk_spawn pointed(table + 3, size);
  cilk_sync;
  cilk_spawn strided(table + 7, size - 7);
  cilk_sync;
  cilk_spawn nested(25);
  cilk_sync;
}

int main(void) {
  all();
  long check = 0;
  for (int i = 0; i < size; i++) check = check * 31 + table[i] + to[i];
  for (int i = 0; i < 4; i++) check = check * 31 + bits[i];
  for (int i = 0; i < 8; i++) check = check * 31 + held.counts[i];
  for (int i = 0; i < 24; i++) check = check * 31 + held.rows[i / 6][i / 3 % 2].at[i % 3];
  printf("%ld %d %d %ld\n", check, held.before, held.behind, held.counts[3]);
  return 0;
}
