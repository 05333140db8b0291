// On a terminal, how far host code is; the line is gone when the program goes on. In a pipe there is none.
// RUN: %cilk2chan %s -o %t.out
// RUN: env CHANNELS_CUS=2 CHANNELS_PROGRESS=1 %on-terminal %t.out 2000 | FileCheck %s
// CHECK: {{^}}host code: {{[0-9.]+( [kM])?}} children given, {{[0-9.]+( [kM])?}}/s, {{[012]}} of 2 workers at work, {{[0-9.]+}} s[K]
// CHECK: {{^}}[K]done
// RUN: env CHANNELS_CUS=2 CHANNELS_PROGRESS=1 %t.out 1000 2>&1 | FileCheck --check-prefix=NOT %s
// RUN: env CHANNELS_CUS=2 %on-terminal %t.out 1000 | FileCheck --check-prefix=NOT %s
// NOT-NOT: children
// NOT: {{^}}done
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

long fib(int n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

// Children are about all the while, whatever fib has.
long for_some_time(int ms) {
  struct timespec start, now;
  long sum = 0;
  clock_gettime(CLOCK_MONOTONIC, &start);
  do {
    sum += fib(27);
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while ((now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000 < ms);
  return sum;
}
long both(int ms) {
  long x = cilk_spawn for_some_time(ms);
  long y = for_some_time(ms);
  cilk_sync;
  return x + y;
}

int main(int count, char** arguments) {
  if (count != 2 || both(atoi(arguments[1])) == 0) return 1;
  fprintf(stderr, "done\n");
  return 0;
}
