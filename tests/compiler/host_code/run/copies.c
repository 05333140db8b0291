// Functions that are written twice, and some that may not be.
// RUN: %host-code-run-and-compare %s
#include <alloca.h>
#include <cilk/cilk.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sums { long a; double b; char name[40]; };
enum kind { small, large };
#define FIB(n) fib(n)
static void zero(void* v) { *(long*)v = 0; }
static void plus(void* l, void* r) { *(long*)l += *(long*)r; }
static long cilk_reducer(zero, plus) calls;

static long fib(const int n) {
  calls += 1;
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1), y;
  y = FIB(n - 2);
  cilk_sync;
  return x + y;
}
/* A result by a pointer, in a function without one. */
void into(long* result, int n) {
  if (n < 2) { *result = n; return; }
  long x, y;
  cilk_spawn into(&x, n - 1);
  into(&y, n - 2);
  cilk_sync;
  *result = x + y;
}
struct sums tree(int n, struct sums from, int row[const], enum kind k) {
  struct sums other;
  if (n == 0) { from.a += row[0]; from.b /= 2; snprintf(from.name, sizeof from.name, "%d", row[1]); return from; }
  int next[2] = {row[0] + 1, row[1] * 3 % 101};
  from.b += n;
  other = cilk_spawn tree(n - 1, from, next, small);
  int again[2] = {row[1], row[0]};
  from = tree(n - 1, from, again, large);
  cilk_sync;
  from.a += other.a * (k == large ? 3 : 1);
  from.b += other.b;
  strncat(from.name, other.name, 2);
  from.name[20] = 0;
  return from;
}
double narrow(f, c, n)
float f; char c; int n;
{
  double a, b;
  if (n <= 0) return f * c;
  a = cilk_spawn narrow(f + 1, c + 1, n - 1);
  b = narrow(f / 2, c, n - 2);
  cilk_sync;
  return a - b;
}
/* Calls each other; lengths that are known when it runs. */
static int odd(int n, int size, int table[size][size]);
static int even(int n, int size, int table[size][size]) {
  if (n == 0) return table[0][size - 1];
  int mine[size];
  int* more = alloca(sizeof(int));
  for (int i = 0; i < size; i++) mine[i] = i * n;
  *more = cilk_spawn odd(n - 1, size, table);
  int other = n > 3 ? even(n - 2, size, table) : mine[size - 1];
  cilk_sync;
  return *more * 3 + other;
}
static int odd(int n, int size, int table[size][size]) { return n == 0 ? 1 : even(n - 1, size, table) + 1; }
/* Once, and no more: who counts by itself, names itself, or jumps. */
static int counted(int n) {
  static int never_changes = 5;
  int x = 0;
  if (n == 0) return never_changes;
  x = cilk_spawn counted(n - 1);
  int y = counted(n - 1);
  cilk_sync;
  return x + y;
}
static size_t named(int n) {
  size_t x, y;
  if (n == 0) return strlen(__func__);
  x = cilk_spawn named(n - 1);
  y = named(n - 1);
  cilk_sync;
  return x + y;
}
static int jumps(int n) {
  int x = 1, rounds = 0;
again:
  if (n == 0) return x;
  x += cilk_spawn jumps(n - 1);
  cilk_sync;
  if (++rounds < 2) goto again;
  return x;
}
static int many(int n, ...) {
  va_list list;
  va_start(list, n);
  int x = va_arg(list, int), y;
  va_end(list);
  if (n == 0) return x;
  y = cilk_spawn many(n - 1, x + 1);
  x = many(n - 1, x);
  cilk_sync;
  return x + y;
}

int main(void) {
  long x;
  int row[2] = {7, 11}, table[3][3] = {{1, 2, 3}};
  struct sums none = {0, 1.5, ""};
  into(&x, 15);
  none = tree(7, none, row, small);
  printf("%ld %ld %ld\n", fib(18), (long)calls, x);
  printf("%ld %.17g %s\n", none.a, none.b, none.name);
  printf("%.17g %d %d %zu %d %d\n", narrow(2.5f, 'c', 14), even(12, 3, table), counted(6), named(6), jumps(7), many(5, 1));
  return 0;
}
