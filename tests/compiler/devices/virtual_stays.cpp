// What tasks with virtual calls cannot do on a device stays on the host, by name: make and end objects with virtual
// functions, look at their types, call functions of which no class has one for the device. An object of a class whose
// function stays on the host ends the run, with the place of the call.
// RUN: %cilk2chan -O0 --device=emulated -std=c++20 %s -o %t.out 2>&1 | FileCheck --check-prefix=WARN %s
// RUN: %cilk2chan --device=emulated -std=c++20 --explain %s 2>&1 | FileCheck --check-prefix=EXPLAIN %s
// RUN: %t.out | FileCheck %s
// RUN: env CHANNELS_DEVICE=emulated %t.out | FileCheck %s
// RUN: env CHANNELS_DEVICE=emulated not %t.out asking 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: env CHANNELS_ORDER=channels %t.out asking | FileCheck --check-prefix=HOST %s
#include <cilk/cilk.h>

#include <cstdio>
#include <cstdlib>

struct node {
  virtual ~node() = default;
  virtual int value() const = 0;
  virtual int lost() const = 0;
};
struct number : node {
  int n = 1;
  int value() const override { return n; }
  int lost() const override { return std::getenv("NOWHERE") != nullptr; }
};
// EXPLAIN: number::value: tasks on a device may call it by a virtual call
// EXPLAIN: asking::value: tasks on a device cannot call it by a virtual call: {{.*}}virtual_stays.cpp:[[@LINE+2]]:{{[0-9]+}}: 'getenv', which a task calls, has no code for the device
struct asking : node {
  int value() const override { return std::getenv("NOWHERE") != nullptr ? 5 : 2; }
  int lost() const override { return std::getenv("NOWHERE") != nullptr; }
};

static int sum(const node* one, int n) {
  if (n < 2) return one->value();
  int x = cilk_spawn sum(one, n - 1);
  int y = sum(one, n - 2);
  cilk_sync;
  return x + y;
}
// WARN: warning: makes: stays on the host{{.*}}it calls 'made', which stays on the host: {{.*}}: 'number' has virtual functions, and its objects cannot be made or ended on the device
static int made(int n) {
  number own;
  own.n = n;
  return own.value();
}
static int makes(const node* one, int n) {
  int x = cilk_spawn sum(one, n);
  int y = made(n);
  cilk_sync;
  return x + y;
}
static int leaf(node* one) {
  if (one == nullptr) return 1;
  delete one;
  return 0;
}
// WARN: warning: ends: stays on the host{{.*}}'node' has virtual functions, and its objects cannot be made or ended on the device
static int ends(const node* one, node* other) {
  int x = cilk_spawn sum(one, 3);
  int y = leaf(other);
  cilk_sync;
  return x + y;
}
// WARN: warning: looks: stays on the host{{.*}}the device cannot look at the type of an object, as 'dynamic_cast' does
static int looks(const node* one) {
  int x = cilk_spawn sum(one, 3);
  int y = dynamic_cast<const number*>(one) != nullptr;
  cilk_sync;
  return x + y;
}
// WARN: warning: loses: stays on the host{{.*}}a task calls the virtual function 'lost', and none of this file's classes has one that the device can run
static int loses(const node* one) {
  int x = cilk_spawn sum(one, 3);
  int y = one->lost();
  cilk_sync;
  return x + y;
}

// CHECK: 8 9 4 4 3
// HOST: 16
// UNKNOWN: channels: device: task sum ({{.*}}virtual_stays.cpp:33): it calls a function that the device does not have
int main(int argc, char**) {
  number one;
  asking other;
  if (argc > 1) {
    std::printf("%d\n", sum(&other, 5));
    return 0;
  }
  std::printf("%d %d %d %d %d\n", sum(&one, 5), makes(&one, 4), ends(&one, nullptr), looks(&one), loses(&one));
  return 0;
}
