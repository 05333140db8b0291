// What tasks with virtual calls cannot do on a device stays on the host, by name: make and end objects with virtual
// functions, look at their types, call functions of which not every class has one for the device.
// RUN: %cilk2chan -O0 --device=emulated -std=c++20 %s -o %t.out 2>&1 | FileCheck --check-prefix=WARN %s
// RUN: %cilk2chan --device=emulated -std=c++20 --explain %s 2>&1 | FileCheck --check-prefix=EXPLAIN %s
// RUN: %t.out | FileCheck %s
// RUN: env CHANNELS_DEVICE=emulated %t.out | FileCheck %s
// RUN: env CHANNELS_ORDER=channels %t.out | FileCheck %s
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

// One class asks the host; another has the base twice, so where its table is cannot be told.
struct opinion {
  virtual ~opinion() = default;
  virtual int value() const = 0;
};
struct sure : opinion {
  int value() const override { return 1; }
};
struct asking : opinion {
  int value() const override { return std::getenv("NOWHERE") != nullptr ? 5 : 2; }
};
struct taste {
  virtual ~taste() = default;
  virtual int value() const { return 7; }
};
struct sweet : virtual taste {};
struct salty : virtual taste {};
struct both : sweet, salty {
  int value() const override { return 9; }
};

static int sum(const node* one, int n) {
  if (n < 2) return one->value();
  int x = cilk_spawn sum(one, n - 1);
  int y = sum(one, n - 2);
  cilk_sync;
  return x + y;
}
// WARN: warning: agree: stays on the host{{.*}}a task calls the virtual function 'value', and the device cannot run it for all of this file's classes
static int agree(const opinion* one, int n) {
  if (n < 2) return one->value();
  int x = cilk_spawn agree(one, n - 1);
  int y = agree(one, n - 2);
  cilk_sync;
  return x + y;
}
// WARN: warning: eat: stays on the host{{.*}}a task calls the virtual function 'value', and the device cannot run it for all of this file's classes
static int eat(const taste* one, int n) {
  if (n < 2) return one->value();
  int x = cilk_spawn eat(one, n - 1);
  int y = eat(one, n - 2);
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
// WARN: warning: loses: stays on the host{{.*}}a task calls the virtual function 'lost', and the device cannot run it for all of this file's classes
static int loses(const node* one) {
  int x = cilk_spawn sum(one, 3);
  int y = one->lost();
  cilk_sync;
  return x + y;
}

// CHECK: 8 9 4 4 3
// CHECK: 8 16 56 72
int main() {
  number one;
  std::printf("%d %d %d %d %d\n", sum(&one, 5), makes(&one, 4), ends(&one, nullptr), looks(&one), loses(&one));
  sure yes;
  asking perhaps;
  taste plain;
  both mixed;
  std::printf("%d %d %d %d\n", agree(&yes, 5), agree(&perhaps, 5), eat(&plain, 5), eat(&mixed, 5));
  return 0;
}
