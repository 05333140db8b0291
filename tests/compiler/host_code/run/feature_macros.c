// What a program asks of the system's headers after it has included cilk.h.
// RUN: %host-code-run-and-compare %s
#include <cilk/cilk.h>
#define _GNU_SOURCE
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int length(const char* text) { return (int)(strchrnul(text, 'x') - text); }

int main(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  uintptr_t a = cilk_spawn length("abcx");
  cilk_sync;
  printf("%d %d\n", (int)a, CPU_COUNT(&set));
  return 0;
}
