// Calls through pointers to functions in tasks: arguments, tables, members, results of functions, casts, comparisons, and
// functions of the library, also given to `qsort`. Host and tasks see the same addresses.
// RUN: %device-run-and-compare %s -lm
#include <cilk/cilk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long (*operation)(long, long);
static long add(long a, long b) { return (a + b) % 1009; }
static long times(long a, long b) { return a * b % 1009; }
long greatest(long a, long b) { return a > b ? a : b; }
static long by_pointer(long a, long b);
static operation const table[] = {add, times, greatest, by_pointer};

static operation choose(long n) { return n % 2 ? add : &times; }
static long by_pointer(long a, long b) { return choose(a)(a, b) + (*choose(b))(b, a); }

typedef struct {
  double x, y;
} point;
struct step {
  const char* name;
  operation run;
  point (*move)(point, double);
};
static point right(point p, double by) { return (point){p.x + by, p.y}; }
static point up(point p, double by) { return (point){p.x, p.y + by}; }
static const struct step steps[2] = {{"add", add, right}, {"greatest", greatest, up}};

static long reduce(const long* a, long n, operation op) {
  if (n == 1) return a[0];
  long x = cilk_spawn reduce(a, n / 2, op);
  long y = reduce(a + n / 2, n - n / 2, op);
  cilk_sync;
  return op(x, (*op)(y, 1) == y ? y : op(y, op(1, 2)));
}

static void choose_all(operation* chosen, long low, long high) {
  if (high - low == 1) {
    operation here = low % 5 == 0 ? table[low % 4] : choose(low);
    chosen[low] = here == add ? steps[1].run : here;
    return;
  }
  cilk_spawn choose_all(chosen, low, (low + high) / 2);
  choose_all(chosen, (low + high) / 2, high);
  cilk_sync;
}

static long walk(operation const* chosen, long low, long high) {
  if (high - low == 1) {
    const struct step* one = &steps[low % 2];
    point p = one->move(right((point){1, 2}, low), 0.5);
    operation list[2] = {times, one->run};
    if (chosen[low] == NULL) return 0;
    return chosen[low](low, 3) + list[low % 2](low, 7) + (long)(p.x * 2) + (chosen[low] == times) + (long)strlen(one->name);
  }
  long a = cilk_spawn walk(chosen, low, (low + high) / 2);
  long b = walk(chosen, (low + high) / 2, high);
  cilk_sync;
  return table[(high - low) % 4](a, b);
}

typedef int (*comparison)(const void*, const void*);
static int numbers(const long* a, const long* b) { return (*a > *b) - (*a < *b); }
static int down(const void* a, const void* b) { return -numbers((const long*)a, (const long*)b); }
static void sort(long* a, long n, comparison less) {
  if (n > 20) {
    cilk_spawn sort(a, n / 2, less);
    sort(a + n / 2, n - n / 2, less);
    cilk_sync;
  }
  if (n % 2) {
    qsort(a, n, sizeof *a, less);
    return;
  }
  for (long i = 1; i < n; ++i) {
    long v = a[i], j = i;
    for (; j > 0 && less(&a[j - 1], &v) > 0; --j) a[j] = a[j - 1];
    a[j] = v;
  }
}

static double square(double x) { return x * x; }
static double integral(double (*f)(double), double low, double high, int depth) {
  if (depth == 0) return f((low + high) / 2) * (high - low);
  double a = cilk_spawn integral(f, low, (low + high) / 2, depth - 1);
  double b = integral(f, (low + high) / 2, high, depth - 1);
  cilk_sync;
  return a + b;
}

int main(void) {
  long a[200];
  operation chosen[100];
  for (int i = 0; i < 200; ++i) a[i] = (i * 7919 + 13) % 257;
  for (int i = 0; i < 4; ++i) printf("%ld ", reduce(a, 200, table[i]));
  choose_all(chosen, 0, 100);
  int counts[3] = {0};
  long sum = 0;
  for (int i = 0; i < 100; ++i) {
    counts[0] += chosen[i] == times;
    counts[1] += chosen[i] == greatest;
    counts[2] += chosen[i] == by_pointer;
    sum += chosen[i](i, 5);
  }
  printf("%d %d %d %ld %ld\n", counts[0], counts[1], counts[2], sum, walk(chosen, 0, 100));
  sort(a, 199, (comparison)numbers);
  printf("%ld %ld %ld, ", a[0], a[100], a[199]);
  sort(a, 199, down);
  printf("%ld %ld %ld\n", a[0], a[100], a[199]);
  printf("%.3f %.3f %.3f\n", integral(sqrt, 0, 2, 6), integral(square, 0, 2, 6), integral(fabs, -1, 1, 6));
  return 0;
}
