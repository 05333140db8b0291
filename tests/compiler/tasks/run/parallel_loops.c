// cilk_for as tasks: every form of loop, with what it captures; nested, with spawns and calls inside; grain sizes.
// RUN: %tasks-run-and-compare %s
// RUN: %host-code-run-and-compare %s
// RUN: %cilk2chan-tasks --emit=source %s -o - | grep -v CHECK | FileCheck %s
#include <cilk/cilk.h>
#include <stdio.h>
#include <string.h>

#define N 37

static unsigned long count_in[16];

// CHECK: {{^ *}}if (!lane.template spawn<forms_task_loop{{_*}}>({&f, first_, step_, 0, trips_, static_cast<std::uint64_t>(N - 32)}))
// CHECK: {{^ *}}if (!lane.template spawn<forms_task_loop{{_*}}>({&f, first_, step_, 0, trips_, channels::cilk::default_grain(trips_)}))
// CHECK: {{^ *}}static constexpr const char* name = "forms (cilk_for in line [[@LINE+8]])";
// CHECK: {{^ *}}forms_task::frame* up;
// CHECK: {{^ *}}if (args.end - args.begin > args.grain) {
// CHECK: {{^ *}}args.up->a[i] += i;
static long forms(int n, long step, short few) {
  long a[N];
  long sum = 0;
  memset(a, 0, sizeof a);
  cilk_for (int i = 0; i < n; i++) a[i] += i;
  cilk_for (unsigned char i = 0; i != few; ++i) {
    if (i % 3 == 0) continue;
    a[i] += 2 * i;
  }
  cilk_for (long i = n - 1; i >= 0; i -= step) a[i] += 100;
  cilk_for (int i = 1; i <= n; i = i + 2) {
    long twice = 2 * i;
    a[i - 1] += twice;
  }
  cilk_for (long* p = a; p < a + n; p += step) *p += 7;
  cilk_for (unsigned long i = n; i > 0; --i) { a[i - 1] ^= i; }
#pragma cilk grainsize N - 32
  cilk_for (int i = 0; N > i; i++) __atomic_fetch_add(&count_in[i % 16], 1, __ATOMIC_RELAXED);
#pragma cilk grainsize = n / 8
  cilk_for (int i = 10; i < 3; i++) a[i] = -1;
  for (int i = 0; i < n; i++) sum = sum * 3 + a[i];
  return sum;
}

static long fib(int n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

// Iterations that wait: for what they spawn, for calls, for loops in them.
static void waits(long* out, int rows, int columns) {
  cilk_for (int r = 0; r < rows; ++r) {
    long here[4];
    long* row = out + r * columns;
    here[0] = cilk_spawn fib(r);
    if (r % 4 == 1) {
      row[0] = -1;
      continue;
    }
    here[1] = cilk_spawn fib(r + 1);
    here[2] = fib(r % 5);
    cilk_sync;
    cilk_for (int c = 0; c < columns; ++c) {
      row[c] = here[0] + here[1] * c + here[2];
      for (int k = 0; k < c; ++k) {
        if (k == 5) break;
        row[c] += k;
      }
    }
    cilk_for (int c = 1; c < columns; c += 2) {
      long more = cilk_spawn fib(c % 7);
      cilk_for (int k = 0; k < 2; ++k) __atomic_fetch_add(&row[c], k + r, __ATOMIC_RELAXED);
      cilk_sync;
      row[c] += more;
    }
    here[3] = cilk_spawn fib(r / 2);
  }
}

// Loops beside spawns, in branches, in loops; the children's results in them.
static long mixed(int n) {
  long results[N];
  int filled = 0;
  char narrow = fib(14);
  memset(results, 0, sizeof results);
  long x = cilk_spawn fib(n);
  while (filled < n) {
    const int from = filled;
    const int to = from + 5 < n ? from + 5 : n;
    if (to - from > 1) {
      cilk_for (int i = from; i < to; i++) {
        results[i] = fib(i % 9);
        results[i] += narrow;
      }
    }
    filled = to;
  }
  cilk_sync;
  for (int i = 0; i < n; i++) x = x * 5 + results[i];
  return x;
}

// In a function without anything else, with an array of variable length, and no iteration at all.
static void scale(double* values, int n, double by) {
  double old[n + 1];
  cilk_for (int i = 0; i < n; i++) {
    old[i] = values[i];
    values[i] *= by;
  }
  cilk_for (int i = 0; i < n; i++) {
    double own[i + 1];
    own[i] = old[i];
    values[i] += own[i];
  }
}

static long leaf(long n) { return n * 7 + 1; }

// Iterations that end early while a child still runs wait for it, and so does what comes after the loop.
static long ends_early(int n, int chosen) {
  long results[N];
  long kept[N];
  cilk_for (int i = 0; i < n; i++) {
    long inner[3] = {0, 0, 0};
    cilk_for (int j = 0; j < 3; j++) {
      inner[j] = cilk_spawn leaf(i + j);
      if (i % 4 == chosen) continue;
      cilk_sync;
      inner[j] ^= 5;
    }
    results[i] = cilk_spawn leaf(inner[0] + 3 * inner[1] + 5 * inner[2]);
    kept[i] = i;
    for (int j = 0; j < 2; j++) {
      if (i % 5 == j) continue;
      kept[i] += j;
    }
    if (i % 3 == chosen) continue;
    cilk_sync;
    results[i] += kept[i];
  }
  long sum = 0;
  for (int i = 0; i < n; i++) sum = sum * 3 + results[i];
  return sum;
}

int main(void) {
  long table[12 * 6];
  double values[50];
  memset(table, 0, sizeof table);
  printf("%ld %ld %ld\n", forms(30, 3, 20), forms(1, 1, 1), forms(N, 2, 0));
  waits(table, 12, 6);
  long sum = 0;
  for (int i = 0; i < 12 * 6; i++) sum = sum * 7 + table[i];
  printf("%ld %ld %ld\n", sum, mixed(20), mixed(1));
  for (int i = 0; i < 50; i++) values[i] = i;
  scale(values, 50, 3);
  scale(values, 0, 3);
  double all = 0;
  for (int i = 0; i < 50; i++) all += values[i] * i;
  unsigned long counted = 0;
  for (int i = 0; i < 16; i++) counted = counted * 31 + count_in[i];
  printf("%.1f %lu\n", all, counted);
  printf("%ld %ld %ld\n", ends_early(30, 0), ends_early(30, 1), ends_early(7, 2));
  return 0;
}
