// The text for a device is the same in each run of the compiler: what instances of a template call
// through pointers stands in the order of their first uses, wherever these are in memory.
// RUN: %cilk2chan --device=emulated --emit=tasks %s | FileCheck %s
#include <cilk/cilk.h>

#include <cstdio>

// CHECK: pointer_targets<{{.*}}<int (int)>
// CHECK: pointer_targets<{{.*}}<long (long)>
// CHECK: pointer_targets<{{.*}}<float (float)>
// CHECK: pointer_targets<{{.*}}<double (double)>
// CHECK: pointer_targets<{{.*}}<unsigned int (unsigned int)>
template <class T>
static T sum(T (*function)(T), T n) {
  return function(n) + function(n + 1);
}

static int of_int(int n) { return n; }
static long of_long(long n) { return n; }
static float of_float(float n) { return n; }
static double of_double(double n) { return n; }
static unsigned of_unsigned(unsigned n) { return n; }

static long all(int n) {
  if (n < 2) {
    long found = sum(of_int, n);
    found += sum(of_long, 2L);
    found += static_cast<long>(sum(of_float, 3.0F));
    found += static_cast<long>(sum(of_double, 4.0));
    return found + sum(of_unsigned, 5U);
  }
  const long a = cilk_spawn all(n - 1);
  const long b = all(n - 2);
  cilk_sync;
  return a + b;
}

int main() { std::printf("%ld\n", all(5)); }
