// Calls that are spread over several GPUs give the serial answer; those that are not say why in the statistics.
// RUN: %cilk2chan --serial -w %s %S/files/several_gpus_files.c %S/files/several_gpus_malloc.c -o %t.serial && %t.serial > %t.expected
// RUN: %cilk2chan -w -O0 --device=emulated %s %S/files/several_gpus_files.c %S/files/several_gpus_malloc.c -o %t.out
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_DEVICES=1 %t.out | diff %t.expected -
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_DEVICES=2 %t.out | diff %t.expected -
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_DEVICES=4 CHANNELS_CUS=1 CHANNELS_MEMORY=1M %t.out | diff %t.expected -
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_DEVICES=2,0,5 CHANNELS_FORCE_YIELD=0.3 CHANNELS_SEED=7 %t.out | diff %t.expected -
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_DEVICES=2 CHANNELS_ORDER=channels %t.out | diff %t.expected -
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_DEVICES=2 CHANNELS_STATS=1 %t.out 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_DEVICES=2 CHANNELS_STATS=json %t.out 2>&1 >/dev/null | FileCheck --check-prefix=JSON %s
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_STATS=1 %t.out 2>&1 >/dev/null | FileCheck --check-prefix=ALONE %s
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_DEVICES=3,16 not %t.out 2>&1 | FileCheck --check-prefix=MISSING %s
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_DEVICES=1,1 not %t.out 2>&1 | FileCheck --check-prefix=WRONG %s
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_DEVICES=1,2 CHANNELS_ORDER=channels not %t.out 2>&1 | FileCheck --check-prefix=FIRST %s
// STATS: GPU 0 {{.*}} tasks; [[GIVEN:[0-9]+]] given to other GPUs, [[TAKEN:[0-9]+]] taken
// STATS-NEXT: GPU 1 {{.*}} tasks; [[TAKEN]] given to other GPUs, [[GIVEN]] taken
// STATS-DAG: on one GPU     allocates: tasks of its file allocate memory
// STATS-DAG: on one GPU     changes: tasks of its file change variables of which the GPU has copies
// STATS-DAG: on one GPU     depth: its tasks keep frames
// STATS-NOT: fib
// JSON: "gpus": [
// JSON: "on_one_gpu": [
// ALONE-NOT: GPU
// MISSING: channels: CHANNELS_DEVICES=3,16: there is no GPU 16; this process sees 16, counted from 0
// WRONG: CHANNELS_DEVICES=1,1: expected how many GPUs, such as 2, or which, each once, such as 0,1
// FIRST: CHANNELS_DEVICES=1,2: runs through channels use GPU 0
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

long changes(int n);
extern long changed;
long allocates(int n);

long fib(int n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

// Reads a variable of the host, which changes between runs, and a table.
static int weight = 1;
static const int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
long weighed(unsigned at, int n) {
  if (n == 0) return weight * table[at % 8];
  long x = cilk_spawn weighed(2 * at, n - 1);
  long y = cilk_spawn weighed(2 * at + 1, n - 1);
  cilk_sync;
  return x + y;
}

// Writes to memory that all GPUs reach, each place once, and to one place by atomics.
void marks(unsigned char* out, int n, long* count) {
  if (n == 1) {
    ++*out;
    __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
    return;
  }
  cilk_spawn marks(out, n / 2, count);
  cilk_spawn marks(out + n / 2, n - n / 2, count);
}

void says(int n) {
  if (n == 0) {
    printf("said\n");
    return;
  }
  cilk_spawn says(n - 1);
}

int depth(int n) {
  if (n == 0) return 0;
  int x = cilk_spawn depth(n - 1);
  int y = cilk_spawn depth(n - 2 > 0 ? n - 2 : 0);
  cilk_sync;
  return 1 + (x > y ? x : y);
}

int main(void) {
  for (int n = 0; n < 21; n += 5) printf("%ld\n", fib(n));
  for (weight = 1; weight < 4; weight++) printf("%ld\n", weighed(1, 9));
  enum { size = 4000 };
  unsigned char* out = calloc(size, 1);
  long count = 0;
  for (int i = 0; i < 3; i++) marks(out, size, &count);
  int right = 0;
  for (int i = 0; i < size; i++) right += out[i] == 3;
  printf("%d marked three times, %ld\n", right, count);
  fflush(stdout);
  says(3);
  for (int i = 0; i < 3; i++) printf("%ld", changes(10)), printf(" %ld\n", changed);
  printf("%ld\n", allocates(8));
  printf("%d\n", depth(9));
  free(out);
  return 0;
}
