// A function whose objects cannot end on a device keeps no other off, whose objects can: each has them in boxes of its own.
// RUN: %cilk2chan --serial -w -std=c++20 %s -o %t.serial && %t.serial > %t.expected
// RUN: %cilk2chan -w -std=c++20 --explain --device=emulated %s -o %t 2>&1 | FileCheck %s
// CHECK: with_map: stays on the host{{.*}}'map', which a task calls, has no code for the device
// CHECK-NOT: with_vector: stays
// CHECK: tasks: 1 of 2 functions
// RUN: env CHANNELS_DEVICE=emulated %t 2>/dev/null | diff %t.expected -
#include <cilk/cilk.h>

#include <cstdio>
#include <map>
#include <vector>

static std::map<int, int> with_map(int n) {
  std::map<int, int> made;
  if (n == 0) return made;
  std::map<int, int> a = cilk_spawn with_map(n - 1);
  made[n] = n * n;
  cilk_sync;
  for (auto& [key, value] : a) made[key] = value;
  return made;
}
static std::vector<int> with_vector(int n) {
  if (n == 0) return {1};
  std::vector<int> a = cilk_spawn with_vector(n - 1);
  std::vector<int> b = with_vector(n - 1);
  cilk_sync;
  for (int one : b) a.push_back(one + n);
  return a;
}

int main() {
  long sum = 0;
  for (int one : with_vector(6)) sum = sum * 3 % 10007 + one;
  std::printf("%zu %ld\n", with_map(9).size(), sum);
}
