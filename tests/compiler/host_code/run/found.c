// What the fuzzer found: names that the tool uses itself, functions that call themselves from their loops, arrays of
// variable length that end with the function, results that nobody can read.
// RUN: %host-code-run-and-compare %s
#include <cilk/cilk.h>
#include <stdio.h>

struct node { int b; };
static int leaf(int n) { return n * 2 + 1; }
static int named(int n, struct node* child, int result, int closure) {
  struct node frame = {n}, cilk_loop = {2};
  int argument_1 = 3, callee = 4, cilk_limit = 9;
  result += cilk_spawn leaf(frame.b + closure);
  cilk_for (int i = 0; i < 3; i++) {
    if (i == 1) frame.b += cilk_limit;
    if (i == 2) child->b = argument_1 + callee + cilk_loop.b;
  }
  cilk_sync;
  return frame.b + child->b + result;
}

static unsigned itself(int n, struct node u) {
  unsigned results[3] = {0};
  if (n <= 0) return (unsigned)u.b;
  cilk_for (int i = 2; i >= 0; i--) {
    struct node v = {i};
    u.b = 4;
    results[i] = itself(n - 1 - i, v) + cilk_spawn itself(n - 2, v);
  }
  return results[0] * 31 + results[1] * 7 + results[2];
}

static void late(int n, int* out) {
  int a[2 + (n & 1)];
  a[0] = n;
  *out *= cilk_spawn leaf(n);
  a[1] = cilk_spawn leaf(n);
}

static int ignored(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    int nobody_reads = cilk_spawn leaf(i);
    const int nor_this = cilk_spawn leaf(i);
    int first_read;
    first_read = i;
    sum += first_read;
    first_read = cilk_spawn leaf(i);
  }
  int later[4] = {1, 2, 3, 4};
  for (int i = 0; i < 4; i++) sum += later[i];
  return sum;
}

int main(void) {
  struct node child = {5}, u = {6};
  int out = 3;
  late(4, &out);
  printf("%d %u %d %d\n", named(1, &child, 2, 3), itself(5, u), out, ignored(10));
  return 0;
}
