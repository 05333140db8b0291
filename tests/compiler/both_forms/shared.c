// Functions that tasks call are copied if C and C++ agree on them, and called across otherwise.
// RUN: %cilk2chan --emit=tasks %s | FileCheck --check-prefix=TEXT %s
// RUN: %host-code-run-and-compare %s
// RUN: %cilk2chan %s -o %t && env CHANNELS_ORDER=channels %t 2>&1 | FileCheck --check-prefix=SAYS %s
// SAYS-NOT: stays
#include <cilk/cilk.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum color { red, green };
// TEXT: {{^}}CHANNELS_CILK_COPY int copied(int n)
int copied(int n) {
  int* p = malloc(sizeof *p);
  *p = n + 1;
  n = *p;
  free(p);
  return n;
}
// TEXT: {{^}}CHANNELS_DEVICE static int copied_too(int n) {
static int copied_too(int n) { return copied(n) - 1; }
// A name that C++ has for itself.
// TEXT: {{^}}int (with_keyword)(int); {{$}}
int with_keyword(int n) {
  int class = n;
  return class + 2;
}
// TEXT: {{^}}int (jumping)(int) __asm__("jumping.cilk.{{[0-9a-f]+}}"); {{$}}
static int jumping(int n) {
  if (n > 3) goto out;
  int m = n + 1;
  return m;
out:
  return n;
}
// TEXT-NOT: {{^}}static int unused
static int unused(n)
int n;
{
  return n;
}
// TEXT: extern int counter __asm__("counter.cilk.{{[0-9a-f]+}}");
static int counter;
// TEXT: {{^}}int (counting)(int) __asm__(
static int counting(int n) {
  static int own = 1;
  return own + n + 0 * __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
}

// Types and values out of macros.
// TEXT: extern bool shown __asm__("shown.cilk.
static bool shown = true;
// TEXT: CHANNELS_CILK_COPY bool is_odd(int n) {
bool is_odd(int n) { return n & shown; }
// TEXT: struct odd_task {
bool odd(int n) {
  if (n < 1) return is_odd(n);
  bool x = cilk_spawn odd(n - 1);
  cilk_sync;
  return !x;
}

// TEXT: struct tree_task {
static int tree(int n) {
  if (n < 1) return copied_too(3) + with_keyword(1) + jumping(2) + jumping(7) + counting(n);
  int x = cilk_spawn tree(n - 1);
  int y = cilk_spawn counting(n);
  cilk_sync;
  return x + y + (counter & 0);
}

// TEXT: channels::cilk::as_task()
int main(void) {
  printf("%d %d %d %d\n", tree(9), unused(3), counter, odd(9));
  return 0;
}
