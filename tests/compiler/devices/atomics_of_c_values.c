// Atomic variables of C11 that are pointers, truth values, small or floating-point numbers, and compound assignments
// that convert: a sum is one of the wider type, as C has it.
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --device=emulated --explain --emit=tasks %s -o %t.out 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks: 2 of 2 functions
#include <cilk/cilk.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct cell {
  int value;
  struct cell* next;
} cell;

static cell cells[200];
static _Atomic(cell*) list;
static cell* _Atomic unused;
static atomic_bool seen;
static _Atomic bool odd, none;
static _Atomic unsigned char letter = 250;
static _Atomic double sum = 1;
static _Atomic float less = 8;
static _Atomic int whole = 1, scaled = 3, bits = 1;
static _Atomic(int*) at;
static int numbers[100];

static void push(int value) {
  cell* one = value & 1 ? unused++ : atomic_fetch_add(&unused, 1);
  one->value = value;
  one->next = atomic_load(&list);
  while (!atomic_compare_exchange_weak(&list, &one->next, one)) {
  }
}
static void change(int value) {
  push(value);
  if (value == 7) seen = true;
  odd |= value & 1;
  none &= value == 1000;
  letter += 3;
  letter++;
  sum += 0.25;
  less -= 1;
  whole += 1.75;
  ++at;
  at++;
  at--;
  atomic_fetch_sub(&at, 2);
  atomic_fetch_add_explicit(&at, 2, memory_order_relaxed);
  if (value == 5) {
    scaled *= 2.5;
    bits <<= 5;
  }
}
static void fill(int from, int to) {
  if (to - from == 1) {
    change(from);
    return;
  }
  cilk_spawn fill(from, (from + to) / 2);
  fill((from + to) / 2, to);
}
static void steps(int n) {
  if (n == 0) {
    bits ^= 2;
    return;
  }
  cilk_spawn steps(n - 1);
  cilk_sync;
}

int main(void) {
  unused = cells;
  at = numbers;
  fill(0, 60);
  steps(5);
  long all = 0;
  for (cell* one = list; one != NULL; one = one->next) all += one->value;
  printf("%ld %d %d %d %d %d\n", all, (int)(unused - cells), seen, odd, none, letter);
  printf("%g %g %d %d %d %d\n", (double)sum, (double)(float)less, whole, scaled, bits, (int)(at - numbers));
}
