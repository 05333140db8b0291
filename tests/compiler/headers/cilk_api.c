// Workers and their numbers, in each form and in the serial elision.
// RUN: %cilk2chan %s -o %t
// RUN: env CHANNELS_CUS=2 %t | FileCheck %s --check-prefix=TWO
// RUN: env CHANNELS_CUS=3 CHANNELS_ORDER=channels %t | FileCheck %s --check-prefix=THREE
// RUN: env CHANNELS_CUS=3 CHANNELS_GIVE=always %t | FileCheck %s --check-prefix=THREE
// RUN: env CHANNELS_CUS=2 %t 4 | FileCheck %s --check-prefix=FOUR
// RUN: env CHANNELS_CUS=2 CHANNELS_ORDER=channels %t 4 | FileCheck %s --check-prefix=FOUR
// RUN: env CHANNELS_CUS=2 %t wrong | FileCheck %s --check-prefix=WRONG
// RUN: %cilk2chan --serial %s -o %t.serial && %t.serial 4 | FileCheck %s --check-prefix=SERIAL
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Each worker's own counter: a number that two had at once would lose some.
static struct counter { volatile long count; char apart[120]; } counts[1024];

static void walk(int n) {
  int i;
  for (i = 0; i < 10; i++) counts[__cilkrts_get_worker_number()].count++;
  if (n == 0) return;
  cilk_spawn walk(n - 1);
  walk(n - 1);
  cilk_sync;
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "wrong") == 0) {
    // WRONG: 1 3 3 2 2 0 2
    printf("%d %d %d %d %d %d %d\n", __cilkrts_set_param("nothing", "1"), __cilkrts_set_param("nworkers", "4x"),
           __cilkrts_set_param("nworkers", 0), __cilkrts_set_param("nworkers", "-1"),
           __cilkrts_set_param("nworkers", "5000"), __cilkrts_set_param("nworkers", "2"), __cilkrts_get_nworkers());
    walk(3);
    // WRONG: 4
    printf("%d\n", __cilkrts_set_param("nworkers", "3"));
    return 0;
  }
  if (argc > 1 && __cilkrts_set_param("nworkers", argv[1]) != 0) return 1;
  __cilkrts_init();
  int workers = __cilkrts_get_nworkers();
  walk(13);
  long sum = 0;
  for (int i = 0; i < workers; i++) sum += counts[i].count;
  // TWO: 2 163830 0 1
  // THREE: 3 163830 0 1
  // FOUR: 4 163830 0 1
  // SERIAL: 1 163830 0 1
  printf("%d %ld %d %d\n", workers, sum, __cilkrts_get_worker_number(), __cilkrts_get_total_workers() >= workers);
  __cilkrts_end_cilk();
  return 0;
}
