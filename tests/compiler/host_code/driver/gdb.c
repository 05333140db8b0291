// A breakpoint on a line of the Cilk source stops there, in host code and in a task.
// RUN: %cilk2chan -O0 -g %s -o %t
// RUN: env CHANNELS_CUS=1 gdb -nx -batch -ex "break gdb.c:20" -ex run -ex "print n" -ex backtrace %t 2>&1 | FileCheck --check-prefixes=CHECK,HOST %s
// RUN: env CHANNELS_CUS=1 CHANNELS_ORDER=channels gdb -nx -batch -ex "break gdb.c:20" -ex run -ex backtrace %t 2>&1 | FileCheck --check-prefixes=CHECK,TASK %s
// RUN: env CHANNELS_CUS=1 CHANNELS_ORDER=channels gdb -nx -batch -ex "break gdb.c:24" -ex run -ex backtrace %t 2>&1 | FileCheck --check-prefix=AFTER %s
// RUN: env CHANNELS_CUS=1 gdb -nx -batch -ex "break fib" -ex run -ex "print n" %t 2>&1 | FileCheck --check-prefix=NAME %s
#include <cilk/cilk.h>
#include <stdio.h>

// CHECK: Breakpoint 1{{[.0-9]*}}, {{.*}}gdb.c:20
// CHECK: return n;
// HOST: $1 = 1
// HOST: fib (n=1) at {{.*}}gdb.c:20
// HOST: main () at {{.*}}gdb.c:29
// TASK: fib_task::enter<{{.*}} at {{.*}}gdb.c:20
// NAME: Breakpoint 1{{[.0-9]*}}, {{.*}}fib
// AFTER: Breakpoint 1{{[.0-9]*}}, {{.*}}gdb.c:24
int fib(int n) {
  if (n < 2)
    return n;
  int x = cilk_spawn fib(n - 1);
  int y = fib(n - 2);
  cilk_sync;
  return x + y;
}

// The numbers above are those of these lines.
int main(void) {
  printf("%d\n", fib(10));
  return 0;
}
