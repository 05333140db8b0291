// A task whose malloc finds no room waits for others to free some. What never comes ends the run with a message that
// names the function, its line, the bytes and the setting.
// REQUIRES: not-sanitized
// RUN: %cilk2chan -O0 --device=emulated %s -o %t.out
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_DEVICE_MALLOC=1M %t.out 400 | FileCheck %s
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_DEVICE_MALLOC=1M CHANNELS_FORCE_YIELD=0.1 %t.out 100 | FileCheck %s
// RUN: env CHANNELS_DEVICE=emulated %t.out 400 | FileCheck %s
// CHECK: right
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_DEVICE_MALLOC=1M not %t.out 8 keep 2>&1 | FileCheck --check-prefix=FULL %s
// FULL: channels: device: task leaves, in block ({{.*}}malloc_waits.c:19): no memory is left for the 300000 bytes that it allocates, and nothing was freed meanwhile; CHANNELS_DEVICE_MALLOC sets how many bytes there are for all tasks, now 1048576
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES 300000

static long block(int keep) {
  char* const own = (char*)malloc(BYTES);
  memset(own, 1, BYTES);
  long sum = 0;
  for (int i = 0; i < 20; i++) free(malloc(16));  // others run meanwhile
  for (long i = 0; i < BYTES; i += 1000) sum += own[i];
  if (!keep) free(own);
  return sum;
}

void leaves(long* out, int count, int keep) {
  if (count == 1) {
    *out = block(keep);
    return;
  }
  cilk_spawn leaves(out, count / 2, keep);
  leaves(out + count / 2, count - count / 2, keep);
  cilk_sync;
}

int main(int argc, char** argv) {
  const int count = atoi(argv[1]);
  long* const out = (long*)calloc(count, sizeof(long));
  leaves(out, count, argc > 2);
  for (int i = 0; i < count; i++) {
    if (out[i] != BYTES / 1000) return 1;
  }
  printf("right\n");
  return 0;
}
