// A return leaves blocks whose variables children may still use: arrays of variable length. The
// implicit sync of the return comes before these end.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s
// RUN: cp %s %t.as.cpp
// RUN: %host-code-run-and-compare %t.as.cpp
#include <cilk/cilk.h>
#include <stdio.h>

static long sum_into(long* place, int n) {
  if (n < 2) return *place = n;
  long a, b;
  long x = cilk_spawn sum_into(&a, n - 1);
  long y = sum_into(&b, n - 2);
  cilk_sync;
  return *place = x + y;
}
static long overwrite(int n) {
  volatile long room[64];
  for (int i = 0; i < 64; i++) room[i] = -1;
  return room[n % 64];
}
static long from_block(int k, long* out) {
  if (k > 1) {
    long x[k];
    for (int i = 0; i < k; i++) x[i] = 0;
    cilk_spawn sum_into(x, 10 + k);
    out[0] = cilk_spawn sum_into(x + 1, 8 + k);
    if (k > 3) return overwrite(k) + k;
    cilk_sync;
    return x[0] + x[1];
  }
  return 4;
}
static long from_scope(int k, long* out) {
  for (int i = 1; i < 5; i++) {
    long outer[i + 1];
    outer[0] = 1;
    out[1] = cilk_spawn sum_into(outer, 9 + i);
    cilk_scope {
      if (i + k > 4) {
        long inner[i + k];
        inner[0] = 2;
        out[2] = cilk_spawn sum_into(inner, 8 + k);
        return overwrite(i) * 100 + i;
      }
    }
    cilk_sync;
    out[3] += outer[0];
  }
  return 5;
}

int main(void) {
  for (int k = 0; k < 6; k++) {
    long out[4] = {0};
    const long a = from_block(k, out), b = from_scope(k, out);
    printf("%ld %ld %ld %ld %ld %ld\n", a, b, out[0], out[1], out[2], out[3]);
  }
  return 0;
}
