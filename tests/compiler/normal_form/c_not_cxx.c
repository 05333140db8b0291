// C that C++ refuses, or takes otherwise: old-style definitions and what calls them, keywords of C++ as names, enumerations
// that may be below zero or are changed, sizes of what is true or false, steps of pointers to void, texts without an end.
// The plain forms of such functions say what C says.
// RUN: %host-code-run-and-compare -std=gnu89 %s
// RUN: %cilk2chan --serial -w -std=gnu89 %s -o %t.serial && %t.serial > %t.expected
// RUN: %cilk2chan -w -std=gnu89 --explain --device=emulated %s -o %t 2>&1 | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: tasks: 6 of 6 functions
// RUN: env CHANNELS_DEVICE=emulated %t | diff %t.expected -
// RUN: env CHANNELS_ORDER=channels CHANNELS_STATS=1 %t 2>&1 | FileCheck --check-prefix=STATS %s
// RUN: env CHANNELS_ORDER=channels %t | diff %t.expected -
// STATS-NOT: stays on the host
#include <cilk/cilk.h>
#include <stdio.h>

enum color { red, green, blue };
struct node {
  enum color color;
  struct node* next;
};

static larger(a, b) { return a > b ? a : b; }
static char narrow(c, f) char c; float f; { return c + (int)(f * 2); }
extern long weigh();
long weigh(n, letters, scale) int n; char* letters; double scale; {
  long sum = 0;
  int i;
  for (i = 0; i < n; i++) sum += letters[i] * (long)scale;
  return sum;
}

/* An old-style definition that spawns, and calls others. */
static long tours(depth, letter, part) int depth; char letter; float part; {
  long some, rest;
  if (depth < 2) return narrow(letter, part) + larger(depth, 1);
  some = cilk_spawn tours(depth - 1, letter + 100, part * 2);
  rest = tours(depth - 2, letter, part / 2);
  cilk_sync;
  return some * 3 + rest + weigh(3, "abc", 2.0 + depth);
}

/* Keywords of C++. */
static long new (int class) { return class * 2 + 1; }
static long delete (long this, int try) {
  long template, operator, private = 0;
  if (this < 2) return this + try;
  template = cilk_spawn delete (this - 1, try);
  operator = cilk_spawn new ((int)this);
  cilk_scope {
    long virtual = delete (this - 2, try + 1);
    private += virtual;
  }
  cilk_sync;
  return template + operator * 3 + private;
}

/* Values of enumerations are unsigned here. */
static long below(const struct node* n) {
  long rest, mine;
  if (!n) return 0;
  rest = cilk_spawn below(n->next);
  mine = n->color - blue;
  cilk_sync;
  return rest % 1000003 + mine % 1000 + (n->color - green > 0u);
}
static long shades(int i) {
  enum color one = (enum color)(i % 3);
  return (one - blue) / 2;
}
static long loop(int n) {
  long kept[8] = {0};
  long sum = 0;
  int i;
  cilk_for (i = 0; i < n; i++) kept[i & 7] = shades(i);
  for (i = 0; i < 8; i++) sum += kept[i];
  return sum;
}

/* Sizes. */
static int sizes(int n) {
  int some;
  if (n == 0) return sizeof(n < 3) * 100 + sizeof(!n) * 10 + sizeof('a');
  some = cilk_spawn sizes(n - 1);
  switch (n) {
    int twice;
    case 1: twice = 2; cilk_sync; return some + twice;
    default: twice = n * 2; cilk_sync; return some + twice + (int)sizeof(n && some);
  }
}

/* Enumerations that change, pointers to void, and texts that fill their arrays. */
static enum color next(enum color* one) {
  enum color before = (*one)++;
  if (*one > blue) *one -= 3;
  return before;
}
static long bytes(const void* from, int n, enum color c) {
  static const char names[3][3] = {"red", "gre", "blu"};
  char last[2] = "\x7fz";
  long left, right;
  const void* middle = from;
  if (n < 2) return n == 0 ? 0 : *(const char*)from + names[c][n] + last[c & 1];
  middle += n / 2;
  c += 1;
  if (--c == blue) c = next(&c);
  left = cilk_spawn bytes(from, n / 2, next(&c));
  right = bytes(middle++, n - n / 2, c++);
  cilk_sync;
  return left * 3 + right + (middle - from) + c;
}

int main(argc, argv) int argc; char** argv; {
  struct node nodes[4] = {{red, 0}, {green, 0}, {blue, 0}, {red, 0}};
  int i;
  for (i = 0; i < 3; i++) nodes[i].next = &nodes[i + 1];
  printf("%ld %ld\n", tours(9, 'a', 1.5f), delete (12, argc));
  printf("%ld %ld %d\n", below(nodes), loop(8), sizes(4));
  printf("%ld\n", bytes("some letters", 12, red));
  return argv == 0;
}
