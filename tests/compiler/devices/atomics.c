// The compiler's atomic operations in tasks: nvcc takes them for the host's, and leaves them out of code that is for host and
// device. What devices do not have stays on the host.
// RUN: %cilk2chan -O0 --device=emulated %s -o %t.out 2>&1 | FileCheck %s
// RUN: %t.out > %t.host && env CHANNELS_DEVICE=emulated %t.out | diff %t.host -
#include <cilk/cilk.h>
#include <stdint.h>
#include <stdio.h>
static int number = 1;
static unsigned char bits;
static int64_t wide;
static int* place;
static unsigned counts[4];
static void use(int n) {
  int seen, next = n + 1;
  __atomic_load(&number, &seen, __ATOMIC_ACQUIRE);
  while (seen < n && !__atomic_compare_exchange_n(&number, &seen, n, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
  }
  while (seen < n && !__atomic_compare_exchange(&number, &seen, &next, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
  }
  __atomic_fetch_or(&bits, 1 << (n & 7), __ATOMIC_RELAXED);
  __atomic_and_fetch(&bits, 0xfe, __ATOMIC_RELAXED);
  __atomic_add_fetch(&wide, (int64_t)n << 33, __ATOMIC_SEQ_CST);
  __atomic_sub_fetch(&wide, 3, __ATOMIC_RELAXED);
  __sync_fetch_and_add(&counts[0], n);
  if (__sync_add_and_fetch(&counts[1], 1) > 0) __sync_fetch_and_or(&counts[2], 1 << n % 9);
  __sync_synchronize();
  for (int before = counts[3]; !__sync_bool_compare_and_swap(&counts[3], before, before ^ n);) before = __sync_val_compare_and_swap(&counts[3], 0, 0);
  __atomic_store_n(&place, &next, __ATOMIC_RELEASE);
  (void)__atomic_exchange_n(&place, (int*)0, __ATOMIC_ACQ_REL);
}
// In what has a plain form.
static unsigned claimed[40];
static void claim(void) {
  cilk_for (int i = 0; i < 400; i++) {
    if (i % 3 == 0 && __sync_bool_compare_and_swap(&claimed[i % 40], 0, 7)) claimed[i % 40] += 2;
  }
}
void walk(int lo, int hi) {
  if (hi - lo == 1) {
    use(lo);
    return;
  }
  int mid = (lo + hi) / 2;
  cilk_spawn walk(lo, mid);
  walk(mid, hi);
  cilk_sync;
}
static int absent;
// CHECK: warning: refused: stays on the host{{.*}}atomics.c:[[@LINE+3]]:{{[0-9]+}}: '__atomic_fetch_nand' on a value of this type is no operation of the device
void refused(int n) {
  cilk_spawn walk(0, n);
  if (n < 2) __atomic_fetch_nand(&absent, 1, __ATOMIC_RELAXED);
  cilk_sync;
}
int main(void) {
  walk(0, 40);
  refused(1);
  claim();
  unsigned all = 0;
  for (int i = 0; i < 40; i++) all = all * 3 + claimed[i];
  printf("%u\n", all);
  printf("%d %d %lld %d %u %u %u %u\n", number, bits, (long long)wide, place == 0, counts[0], counts[1], counts[2], counts[3]);
  return 0;
}
