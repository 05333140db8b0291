// What a thread of the host does to other elements and members of variables while tasks run is not lost when the copies come
// back; and what tasks have not changed does not.
// RUN: %cilk2chan -O0 --device=emulated --explain %s -o %t.out 2>&1 | FileCheck %s
// CHECK: {{^}}slots: variable, copied to devices and back
// CHECK: {{^}}both: variable, copied to devices and back
// CHECK: {{^}}many: variable, copied to devices and back
// RUN: env CHANNELS_DEVICE=emulated %t.out
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_ORDER=channels %t.out
#include <cilk/cilk.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static int slots[2];
static struct pair { short tasks, host; } both;
static struct pair many[50000];
static void spend(int n) {
  volatile int turns = 0;
  while (turns < n) turns++;
}
void work(int n) {
  if (n == 0) {
    spend(2000000);
    return;
  }
  cilk_spawn work(n - 1);
  work(n - 1);
  cilk_sync;
  slots[0] = n;
  both.tasks = (short)n;
  many[40000].tasks = (short)n;
}
static void* beside(void* none) {
  usleep(20000);
  slots[1] = 5;
  both.host = 6;
  many[40000].host = 7;
  return none;
}
int main(void) {
  work(1);  // the device has been made when the thread starts
  pthread_t thread;
  slots[0] = 0;
  pthread_create(&thread, NULL, beside, NULL);
  work(5);
  pthread_join(thread, NULL);
  struct pair one = many[40000];
  printf("%d %d %d %d %d %d\n", slots[0], slots[1], both.tasks, both.host, one.tasks, one.host);
  return slots[0] != 5 || slots[1] != 5 || both.tasks != 5 || both.host != 6 || one.tasks != 5 || one.host != 7;
}
