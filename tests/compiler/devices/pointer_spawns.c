// Calls and spawns through pointers to functions that spawn, or that lead to what does: each finds the task of the
// function, and calls what spawns nothing as it is. A pointer is the host's address, in tasks too.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --device=emulated --explain --emit=tasks %s -o %t.out 2>&1 | FileCheck %s
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_ORDER=channels CHANNELS_STATS=1 %t.lowered 2>&1 | FileCheck --check-prefix=CHANNELS %s
// CHECK-NOT: stays on the host
// CHECK-DAG: fill: tasks on a device call it as a task
// CHECK-DAG: add: tasks on a device may call it through a pointer
// CHECK-DAG: halves: tasks on a device call it as a task
// CHECK: tasks: 33 of 33 functions, 2 of 2 loops
// What is called only through pointers has tasks of its own.
// CHANNELS-DAG: {{^}}fill {{.*}} {{[1-9][0-9]+$}}
// CHANNELS-DAG: {{^}}fib {{.*}} {{[1-9][0-9]+$}}
// CHANNELS-DAG: {{^}}paths {{.*}} {{[1-9][0-9]+$}}
// CHANNELS-DAG: {{^}}halves {{.*}} {{[1-9][0-9]+$}}
// CHANNELS-DAG: {{^}}scale_rows {{.*}} {{[1-9][0-9]*$}}
// CHANNELS-DAG: {{^}}count_nodes {{.*}} {{[1-9][0-9]+$}}
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A loop over a range, as a library would have it: what it does is a pointer and its context.
typedef void (*range_body)(long low, long high, void* context);
struct vector {
  long* at;
  long by;
};
static void parallel_for(long low, long high, long grain, range_body body, void* context) {
  if (high - low <= grain) {
    body(low, high, context);
    return;
  }
  long middle = low + (high - low) / 2;
  cilk_spawn parallel_for(low, middle, grain, body, context);
  parallel_for(middle, high, grain, body, context);
  cilk_sync;
}
static void fill(long low, long high, void* context) {
  struct vector* v = context;
  if (high - low > 2) {
    cilk_spawn fill(low, low + 1, context);
    fill(low + 1, high, context);
    cilk_sync;
    return;
  }
  for (long i = low; i < high; ++i) v->at[i] = i * v->by % 101;
}
static void add(long low, long high, void* context) {
  struct vector* v = context;
  for (long i = low; i < high; ++i) v->at[i] += v->by;
}
// Runs another loop in each of its iterations.
static void scale_rows(long low, long high, void* context) {
  struct vector* v = context;
  for (long i = low; i < high; ++i) {
    struct vector row = {v->at + i * 16, v->by + i};
    parallel_for(0, 16, 4, add, &row);
  }
}

// A table of functions.
static int fib(int n) {
  if (n < 2) return n;
  int a = cilk_spawn fib(n - 1);
  int b = fib(n - 2);
  cilk_sync;
  return a + b;
}
static int twice(int n) { return 2 * n; }
static int fib_and_more(int n) { return fib(n) + 1; }
int paths(int n) {
  int sum = 0;
  for (int i = 1; i <= 3 && i <= n; ++i) sum += cilk_spawn paths(n - i);
  cilk_sync;
  return n == 0 ? 1 : sum;
}
typedef int (*handler)(int);
static handler const handlers[] = {fib, twice, fib_and_more, paths};
static handler choose(int n) { return n % 3 ? fib : paths; }

static int handle_all(int low, int high) {
  if (high - low == 1) {
    int n = low % 8;
    int found = handlers[low % 4](n) + (*choose(low))(n);
    // In conditions, arguments and the operands of others.
    if (handlers[(low + 1) % 4](n) > 3 && fib(choose(n)(2)) < 100) found += handlers[3](handlers[0](4));
    return found + (n > 4 ? handlers[2](3) : twice(n));
  }
  int a = cilk_spawn handle_all(low, (low + high) / 2);
  int b = handle_all((low + high) / 2, high);
  cilk_sync;
  return a + b;
}
// Spawns through pointers; results that become another type, and sums.
static long spawn_handlers(int n, const handler* list) {
  long all = 0, last;
  for (int i = 0; i < 4; ++i) all += cilk_spawn list[i](n);
  last = cilk_spawn list[n % 4](n + 1);
  short narrow = cilk_spawn (*list[(n + 1) % 4])(n);
  cilk_sync;
  return all * 7 + last + narrow;
}

// Callbacks in structures; the function's own address in a task, and comparisons with it.
struct visitor {
  long (*visit)(const struct visitor*, int);
  int depth;
};
static long leaf_value(const struct visitor* v, int n) { return v->depth + n; }
static long halves(const struct visitor* v, int n) {
  if (n <= 1) return v->depth;
  struct visitor down = {n > 6 ? v->visit : leaf_value, v->depth + 1};
  if (n == 9) down.visit = &halves;
  long a = cilk_spawn down.visit(&down, n / 2);
  long b = v->visit(v, n - n / 2 - 1);
  cilk_sync;
  return a + b + (v->visit == halves) + 2 * (down.visit != halves);
}

// A function that gets itself, as what its address is cast to.
typedef long (*walker)(void*, void*);
struct node {
  struct node *left, *right;
  int value;
};
static long count_nodes(struct node* at, walker self) {
  if (at == NULL) return 0;
  long a = cilk_spawn self(at->left, (void*)self);
  long b = self(at->right, (void*)self);
  cilk_sync;
  return a + b + at->value;
}
static struct node* build(int depth, int* next) {
  if (depth <= 0) return NULL;
  struct node* made = malloc(sizeof *made);
  made->value = ++*next % 13;
  made->left = build(depth - 1, next);
  made->right = build(depth - 1 - *next % 2, next);
  return made;
}

// A comparator spawns nothing: it stays a plain call.
static int up(const long* a, const long* b) { return (*a > *b) - (*a < *b); }
static int down(const long* a, const long* b) { return up(b, a); }
static void merge_sort(long* a, long* spare, long n, int (*compare)(const long*, const long*)) {
  if (n < 2) return;
  long middle = n / 2, i = 0, j = middle;
  cilk_spawn merge_sort(a, spare, middle, compare);
  merge_sort(a + middle, spare + middle, n - middle, compare);
  cilk_sync;
  for (long k = 0; k < n; ++k)
    spare[k] = j == n || (i < middle && compare(&a[i], &a[j]) <= 0) ? a[i++] : a[j++];
  memcpy(a, spare, n * sizeof *a);
}

// Loops that call through a pointer, one of them in `main`.
static void each(int n, int* out, handler f) {
  cilk_for (int i = 0; i < n; ++i) out[i] = f(i);
}

int main(void) {
  static long a[256], spare[256];
  struct vector v = {a, 7};
  parallel_for(0, 256, 8, fill, &v);
  parallel_for(0, 256, 16, add, &v);
  parallel_for(0, 16, 2, scale_rows, &v);
  merge_sort(a, spare, 128, up);
  merge_sort(a + 128, spare, 128, down);
  long sum = 0;
  for (int i = 0; i < 256; ++i) sum = (sum * 31 + a[i]) % 1000003;
  printf("%ld\n", sum);
  printf("%d %ld\n", handle_all(0, 40), spawn_handlers(6, handlers));
  struct visitor top = {halves, 1}, mixed = {leaf_value, 2};
  printf("%ld %ld\n", top.visit(&top, 40), halves(&mixed, 19));
  int next = 0;
  struct node* tree = build(9, &next);
  printf("%ld\n", count_nodes(tree, (walker)count_nodes));
  int out[24], more[24];
  each(12, out, fib);
  each(12, out + 12, twice);
  cilk_for (int i = 0; i < 24; ++i) more[i] = handlers[i % 4](i % 7) + out[i];
  for (int i = 0; i < 24; ++i) printf("%d ", more[i]);
  printf("%d\n", handlers[2] == fib_and_more);
  return 0;
}
