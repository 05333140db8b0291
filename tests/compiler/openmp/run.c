// OpenMP's tasks and loops in C, with the answers of other compilers: variables of a task's own,
// arrays and large structures too, conditions, groups, reductions, sections, critical and atomic.
// RUN: %cilk2chan -fopenmp-tasks -O1 -w %s -o %t
// RUN: env CHANNELS_CUS=1 %t | FileCheck %s
// RUN: env CHANNELS_GIVE=always CHANNELS_CUS=2 %t | FileCheck %s
// RUN: env CHANNELS_ORDER=channels %t 2>&1 | FileCheck %s
// RUN: env CHANNELS_ORDER=channels CHANNELS_WIDTH=8 CHANNELS_FORCE_YIELD=0.2 %t | FileCheck %s
// CHECK-NOT: stays on the host
// CHECK: 2008 1931 49 120 497 7115
// CHECK-NEXT: 982400835 2660.500 84 4179 131071 0 1 306.250
// CHECK-NEXT: 19197 21
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <omp.h>
#define N 200
struct node { long value; struct node *left, *right, *next; };
struct big { int cells[40]; int used; };
static struct node nodes[127];
static long counter, maximum;
static double dsum;

static long walk(struct node* at, int depth) {
  long l = 0, r = 0;
  if (at == NULL) return 0;
  #pragma omp task shared(l) if(depth < 4) final(depth > 6) mergeable
  { l = walk(at->left, depth + 1); }
  #pragma omp task shared(r) if(depth < 4)
  { r = walk(at->right, depth + 1); r += 1; }
  #pragma omp taskwait
  #pragma omp atomic
  counter += at->value;
  #pragma omp critical (biggest)
  { if (at->value > maximum) maximum = at->value; }
  return at->value + l + r;
}

static void list(struct node* head, long* out) {
  int i = 0;
  for (struct node* p = head; p; p = p->next) {
    #pragma omp task firstprivate(p, i)
    { long v = p->value; for (int k = 0; k < 3; k++) v = v * 3 + k; i += 2; out[i - 2] = v; }
    i++;
  }
  #pragma omp taskwait
}

static void perms(int n, int row, int* used, long* count) {
  if (row == n) { *count = 1; return; }
  long found[8] = {0};
  for (int i = 0; i < n; i++) {
    int next[8];
    if (used[i]) continue;
    memcpy(next, used, sizeof next);
    next[i] = 1;
    #pragma omp task shared(found)
    perms(n, row + 1, next, &found[i]);
  }
  #pragma omp taskwait
  *count = 0;
  for (int i = 0; i < n; i++) *count += found[i];
}

static long inner(int n) {
  long sum = 0;
  if (n > 3) {
    long a = 0, b = 0;
    #pragma omp task shared(a)
    { a = inner(n - 1); a += 1; }
    #pragma omp task shared(b)
    { b = inner(n - 2); b += 2; }
    #pragma omp taskwait
    sum = a + b;
  } else sum = n;
  return sum;
}

static long structs(int n) {
  long all[20] = {0}, s = 0;
  struct big b;
  memset(&b, 0, sizeof b);
  for (int i = 0; i < n; i++) {
    b.cells[i] = i + 1; b.used = i;
    #pragma omp task
    { b.cells[0] += 7; for (int k = 0; k <= b.used; k++) all[i] += b.cells[k]; }
  }
  #pragma omp taskwait
  for (int i = 0; i < n; i++) s = s * 3 + all[i];
  return s;
}

static long groups(int n) {
  long a = 0, b = 0, c = 0;
  #pragma omp task shared(a)
  a = inner(n);
  #pragma omp taskgroup
  {
    #pragma omp task shared(b)
    {
      #pragma omp task shared(b)
      b = inner(n - 1);
    }
    #pragma omp taskwait
    c = a;
  }
  return b * 100 + c;
}

// What one task changes in a 'critical', another reads there.
static long locked(int n) {
  long best = 0, seen = 0;
  #pragma omp taskgroup
  for (int i = 0; i < n; i++) {
    #pragma omp task shared(best)
    {
      #pragma omp critical
      if (i > best) best = i;
    }
  }
  for (int i = 0; i < 2; i++) {
    #pragma omp task shared(best, seen)
    {
      #pragma omp critical
      { seen += best; }
    }
    #pragma omp taskwait
    best += 5;
  }
  #pragma omp taskwait
  return seen;
}

// What each thread has of its own, each iteration has of its own.
static long threads(long* to, int n) {
  long all = 0;
  int k = 3;
  #pragma omp parallel private(k) shared(to, all)
  {
    int from = 2, last;
    long row[4] = {1, 2, 3, 4};
    #pragma omp for
    for (int i = 0; i < n; i++) {
      to[i] = 0;
      for (k = from; k < 9; k++) { last = i * k; row[k % 4] = last; to[i] += row[k % 4] + last; }
    }
    #pragma omp single
    {
      for (int i = 0; i < n; i++)
        #pragma omp task firstprivate(i)
        { to[i] += from; from = 0; }
    }
    #pragma omp for reduction(+ : all)
    for (int i = 0; i < n; i++)
      for (k = 0; k < 2; k++) all += to[i] * (k + 1);
  }
  return all + k;
}

int main(int argc, char** argv) {
  long out[16], s = 0, t = 0, p = 1; int mn = 1 << 30, mx = -5, any = 0, all = 1; unsigned bits = 0;
  double d = 0; long table[N]; int i, j; long w = 0, cnt = 0, last = 0; int n = argc > 1 ? atoi(argv[1]) : 7;
  for (int k = 0; k < 127; k++) {
    nodes[k].value = k * 7 % 31;
    if (2 * k + 2 < 127) { nodes[k].left = &nodes[2 * k + 1]; nodes[k].right = &nodes[2 * k + 2]; }
    nodes[k].next = k < 11 ? &nodes[k + 1] : NULL;
  }
  double start = omp_get_wtime();
  #pragma omp parallel num_threads(2)
  #pragma omp single nowait
  w = walk(&nodes[0], 0);
  #pragma omp parallel
  {
    #pragma omp master
    list(&nodes[0], out);
  }
  #pragma omp parallel
  #pragma omp single
  { perms(5, 0, (int[8]){0}, &cnt); t = inner(12); last = structs(15) + groups(9); }
  #pragma omp parallel for private(j) firstprivate(n) schedule(dynamic, 4)
  for (i = 0; i < N; i++) { table[i] = 0; for (j = 0; j < n; j++) table[i] += i * j; n = n + 0; }
  #pragma omp parallel for reduction(+:s,d) reduction(*:p) reduction(min:mn) reduction(max:mx) reduction(|:bits) reduction(||:any) reduction(&&:all)
  for (i = N - 1; i >= 0; i -= 3) {
    if (i % 5 == 1) continue;
    s += table[i]; d += 0.5 * i; p *= (i % 3 ? 1 : 2) ; p %= 1000003;
    if (table[i] < mn) mn = table[i]; if (table[i] > mx) mx = table[i];
    bits |= 1u << (i % 17); any = any || table[i] == 7; all = all && table[i] >= 0;
  }
  #pragma omp parallel
  {
    #pragma omp for nowait
    for (int k = 0; k < N; k++) table[k] += 1;
    #pragma omp barrier
    #pragma omp single
    {
      #pragma omp taskloop grainsize(8) shared(table)
      for (int k = 0; k < N; k++) table[k] *= 2;
      #pragma omp taskloop reduction(+:s)
      for (int k = 0; k < N; k++) s += table[k];
    }
  }
  #pragma omp parallel sections
  {
    #pragma omp section
    out[12] = inner(6);
    #pragma omp section
    { out[13] = inner(7); }
  }
  #pragma omp parallel for
  for (int k = 0; k < 50; k++) {
    long old;
    #pragma omp atomic capture
    old = counter++;
    #pragma omp atomic
    dsum += 0.25 * k;
    (void)old;
    #pragma omp critical
    { if (k > maximum) maximum = k; }
  }
  for (int k = 0; k < 14; k++) s = s * 5 % 1000000007 + (k == 12 || k == 13 || k < 12 ? out[k] : 0);
  printf("%ld %ld %ld %ld %ld %ld\n", w, counter, maximum, cnt, t, last);
  printf("%ld %.3f %d %d %u %d %d %.3f\n", s, d, mn, mx, bits, any, all, dsum);
  printf("%ld %ld\n", threads(out, 14), locked(9));
  (void)p;
  return omp_get_wtime() < start;
}
