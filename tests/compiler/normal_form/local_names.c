// Types, constants and tables of a function; statement expressions; `assert`.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --explain --device=emulated --emit=tasks %s -o %t.explained 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks: 5 of 5 functions, 1 of 1 loops
#include <assert.h>
#include <cilk/cilk.h>
#include <stdio.h>

#define MAX(a, b)           \
  ({                        \
    __typeof__(a) _a = (a); \
    __typeof__(b) _b = (b); \
    _a > _b ? _a : _b;      \
  })

struct point {
  int x, y;
};

static int knight(int x, int y, int left) {
  static const int dx[] = {1, 2, 2, 1, -1, -2, -2, -1};
  static const int dy[8] = {2, 1, -1, -2, -2, -1, 1, 2};
  if (x < 0 || y < 0 || x > 5 || y > 5) return 0;
  if (left == 0) return 1;
  int counts[8];
  for (int i = 0; i < 8; ++i) counts[i] = cilk_spawn knight(x + dx[i], y + dy[i], left - 1);
  cilk_sync;
  int sum = 0;
  for (int i = 0; i < 8; ++i) sum += counts[i];
  return sum;
}

static long paths(int n) {
  static const struct point moves[] = {{0, 1}, {1, 0}};
  enum { none, limit = 6, most };
  struct pair {
    long a, b;
    unsigned low : 3;
  } p = {0, 0, most};
  typedef enum { off, on } state;
  state last = n > limit ? on : off;
  if (last == on) return 1;
  p.a = cilk_spawn paths(n + moves[0].y);
  p.b = paths(n + moves[1].x);
  cilk_sync;
  return p.a + p.b + p.low;
}

static int depth(int n) {
  assert(n > -4);
  if (n <= 0) return 0;
  int a = cilk_spawn depth(n / 2);
  int b = depth(n - 3);
  cilk_sync;
  return MAX(a, b) + 1 + (n > 5 && MAX(a, MAX(b, 2)) > 3);
}

// A leaf with jumps.
static int classify(const char* text) {
  int state = 0;
again:
  switch (*text++) {
    case 'a': state += 1; goto again;
    case 'b': state *= 2; goto again;
    case 0: goto done;
    default: goto again;
  }
done:
  return state;
}

static int words(char* text, int length, int at) {
  if (at == length) {
    text[at] = 0;
    return classify(text);
  }
  char left[8], right[8];
  for (int i = 0; i < at; ++i) left[i] = right[i] = text[i];
  left[at] = 'a';
  right[at] = 'b';
  int x = 0;
  x += cilk_spawn words(left, length, at + 1);
  x += words(right, length, at + 1);
  cilk_sync;
  return x;
}

struct item {
  int weight;
  long value;
};

int main(void) {
  struct item items[20];
  cilk_for(int i = 0; i < 20; ++i) {
    items[i].weight = MAX(i, 7);
    items[i].value = paths(i % 7);
  }
  long sum = 0;
  for (int i = 0; i < 20; ++i) sum += items[i].weight * items[i].value;
  char text[8] = "";
  printf("%d %ld %d %d %ld\n", knight(0, 0, 3), paths(0), depth(20), words(text, 5, 0), sum);
  return 0;
}
