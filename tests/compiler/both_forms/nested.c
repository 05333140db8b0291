// A task calls another function that spawns through a pointer, which only the run of the program shows; and a program may
// call tasks from several threads.
// RUN: %cilk2chan %s -o %t -pthread
// RUN: %t | FileCheck %s
// RUN: env CHANNELS_ORDER=channels %t | FileCheck %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_CUS=1 %t | FileCheck %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_GIVE=always CHANNELS_TIMEOUT=20 %t | FileCheck %s
#include <cilk/cilk.h>
#include <pthread.h>
#include <stdio.h>

int fib(int n) {
  if (n < 2) return n;
  int x = cilk_spawn fib(n - 1);
  int y = fib(n - 2);
  cilk_sync;
  return x + y;
}

static int (*function)(int) = fib;

static int indirect(int n) {
  if (n == 0) return function(10);
  int x = cilk_spawn indirect(n - 1);
  int y = cilk_spawn indirect(n - 1);
  cilk_sync;
  return x + y;
}

static void* thread(void* result) {
  *(int*)result = fib(15);
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  int results[4];
  int sum = 0;
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, thread, &results[i]);
  for (int i = 0; i < 4; ++i) {
    pthread_join(threads[i], NULL);
    sum += results[i];
  }
  // CHECK: 880 2440
  printf("%d %d\n", indirect(4), sum);
  return 0;
}
