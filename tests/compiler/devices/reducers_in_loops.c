// Loops that change reducers: where all iterations change the same one it is one atomic operation behind the loop, and lanes
// share loops in which only such changes of elements are left.
// RUN: %device-run-and-compare %s
// RUN: %cilk2chan --device=emulated --explain --emit=tasks %s -o %t.explained 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: %cilk2chan --device=emulated --emit=core --no-line %s | FileCheck %s
#include <cilk/cilk.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_min.h>
#include <cilk/reducer_opadd.h>
#include <stdio.h>

enum { size = 3000, bins_count = 37 };

static void zero(void* v) { *(long*)v = 0; }
static void plus(void* l, void* r) { *(long*)l += *(long*)r; }
static void one(void* v) { *(unsigned*)v = 1; }
static void times(void* l, void* r) { *(unsigned*)l *= *(unsigned*)r; }
static void all_bits(void* v) { *(unsigned*)v = ~0u; }
static void both(void* l, void* r) { *(unsigned*)l &= *(unsigned*)r; }
static void no_bits(void* v) { *(unsigned char*)v = 0; }
static void either(void* l, void* r) { *(unsigned char*)l |= *(unsigned char*)r; }
static void none(void* v) { *(unsigned long*)v = 0; }
static void differ(void* l, void* r) { *(unsigned long*)l ^= *(unsigned long*)r; }
static void lowest(void* v) { *(int*)v = -2147483647 - 1; }
static void larger(void* l, void* r) { if (*(int*)l < *(int*)r) *(int*)l = *(int*)r; }
static void highest(void* v) { *(short*)v = 32767; }
static void smaller(void* l, void* r) { if (*(short*)l > *(short*)r) *(short*)l = *(short*)r; }
static void no(void* v) { *(_Bool*)v = 0; }
static void any(void* l, void* r) { *(_Bool*)l |= *(_Bool*)r; }
typedef long cilk_reducer(zero, plus) sum_reducer;
typedef int cilk_reducer(lowest, larger) most_reducer;

// EXPLAIN-DAG: {{^}}total: variable, copied to devices and back
// EXPLAIN-DAG: {{^}}bins: variable, copied to devices and back
// EXPLAIN-DAG: {{^}}hits: variable, copied to devices and back
// EXPLAIN-DAG: {{^}}top: variable, copied to devices and back
// EXPLAIN-DAG: {{^}}odds: variable, copied to devices and back
static sum_reducer total = 5;
static unsigned cilk_reducer(one, times) product = 3;
static unsigned cilk_reducer(all_bits, both) common = 0xfffffff5u;
static unsigned char cilk_reducer(no_bits, either) seen = 64;
static unsigned long cilk_reducer(none, differ) parity = 9;
static most_reducer most = -7;
static short cilk_reducer(highest, smaller) least = 400;
static _Bool cilk_reducer(no, any) found = 0;
static sum_reducer bins[bins_count];
static most_reducer best_of[bins_count];
static CILK_C_REDUCER_OPADD(hits, long, 2);
static CILK_C_REDUCER_MAX(top, int, -3);
static CILK_C_REDUCER_MIN(bottom, int, 100000);
static CILK_C_REDUCER_OPADD(odds, int, 0);
struct counts { int before; sum_reducer calls; most_reducer far; } counts;

static int data[size], trace[size];

// All of one kind each, on condition and without.
// CHECK-LABEL: {{^(static )?void }}sums_{{[a-z0-9_]*}}(int begin, int end){{$}}
// CHECK: for (int i = begin;
// CHECK-NOT: _1_{{[0-9]}}(&
// CHECK-NOT: __atomic
// CHECK: {{^}}if (cilk_value
// CHECK: __atomic_fetch_add(&total, cilk_value
// EXPLAIN-DAG: {{^}}sums_{{.*}}: lanes of a GPU share its leaves
static void sums(int begin, int end) {
  if (end - begin > 300) {
    int middle = begin + (end - begin) / 2;
    cilk_spawn sums(begin, middle);
    sums(middle, end);
    return;
  }
  // EXPLAIN-DAG: line [[@LINE+1]]: side by side on lanes
  for (int i = begin; i < end; i++) {
    total += data[i];
    if (data[i] & 4) REDUCER_VIEW(hits)++;
    else REDUCER_VIEW(hits) -= 2;
    common &= data[i] | 0xffff0000u | 5;
    parity ^= (unsigned long)data[i] * 77;
    if (most < data[i]) most = data[i];
    CILK_C_REDUCER_MIN_CALC(bottom, data[i]);
    CILK_C_REDUCER_MAX_CALC(top, data[i] & 255);
  }
  // Not for lanes: numbers of few bits, and products.
  for (int i = begin; i < end; i++) {
    product *= data[i] | 1;
    seen |= (unsigned char)(data[i] & 7);
    if (least > (short)data[i]) least = (short)data[i];
    found |= data[i] == 17;
  }
}

// Elements: which one it is depends on what the iteration reads.
static void spread(int begin, int end) {
  if (end - begin > 300) {
    int middle = begin + (end - begin) / 2;
    cilk_spawn spread(begin, middle);
    spread(middle, end);
    return;
  }
  // EXPLAIN-DAG: line [[@LINE+1]]: side by side on lanes
  for (int i = begin; i < end; i++) {
    bins[data[i] % bins_count]++;
    bins[3] += 2;
    if (data[i] & 1) REDUCER_VIEW(odds) += i;
    best_of[(data[i] + i) % bins_count] =
        best_of[(data[i] + i) % bins_count] < data[i] ? data[i] : best_of[(data[i] + i) % bins_count];
    total++;
  }
  // It reads an element, too.
  // EXPLAIN-DAG: line [[@LINE+1]]: one after the other: a statement in it is not for several lanes
  for (int i = begin; i < end; i++) {
    if (best_of[i % bins_count] < i) best_of[i % bins_count] = i;
    if (best_of[0] > 100000) trace[0] = 1;
  }
}

// Ways out of a loop, loops in loops, and other kinds of loops.
static void ways(int n) {
  for (int i = 0; i < n; i++) {
    if (data[i] % 61 == 60) break;
    if (data[i] % 3 == 0) continue;
    total += 3;
    int j = 0;
    while (j < 5) {
      REDUCER_VIEW(hits)++;
      if (++j > data[i] % 7) break;
    }
    do {
      counts.calls += j;
    } while (--j > 0);
    switch (data[i] & 3) {
      case 0: most = most > 3 * data[i] ? most : 3 * data[i]; break;
      case 1: total--;  // fall through
      case 2: parity ^= i; break;
      default: break;
    }
  }
  // No way to what comes behind the loop.
  for (int i = 0; i < n; i++) {
    total += 100;
    if (data[i] % 53 == 52) return;
  }
}
// By pointers and members, with an index that stays, and a name that means another variable inside.
static void by_place(sum_reducer* p, struct counts* of, int index, int n) {
  for (int i = 0; i < n; i++) {
    *p += i;
    p[index + 1] += 2;
    bins[index] += 7;
    of->calls++;
    of->before += i & 1;
    if (of->far < data[i]) of->far = data[i];
  }
  for (int i = 0; i < n; i++) {
    sum_reducer* other = &bins[i % 5];
    {
      sum_reducer* p = other;
      *p += 1;
    }
    *p += 10;
  }
}

// Not behind the loop: the loop reads it, calls what uses it, or reads what may be the same one.
// CHECK-LABEL: {{^(static )?void }}reads_{{[a-z0-9_]*}}(int n){{$}}
// CHECK-NOT: cilk_value
// CHECK: trace[i] += __atomic_load_n(&most
static void reads(int n) {
  for (int i = 0; i < n; i++) {
    if (most < data[i] * 4) most = data[i] * 4;
    trace[i] += most;
  }
}
static void note(int value) { if (most < value) most = value; }
static int noted(void) { return most; }
// CHECK-LABEL: {{^(static )?void }}calls_{{[a-z0-9_]*}}(int n){{$}}
// CHECK: calls_{{.*}}(&most, (int)(data[i] * 5 + i))
// CHECK: trace[i]
static void calls(int n) {
  for (int i = 0; i < n; i++) {
    if (most < data[i] * 5 + i) most = data[i] * 5 + i;
    trace[i] += noted();
    note(data[i] * 5 + 2 * i);
  }
}
// CHECK-LABEL: {{^(static )?void }}perhaps_{{[a-z0-9_]*}}(int *p, int *q, int n){{$}}
// CHECK-NOT: cilk_value
// CHECK: trace[i] += __atomic_load_n(
static void perhaps(most_reducer* p, most_reducer* q, int n) {
  for (int i = 0; i < n; i++) {
    if (*p < data[i] * 6) *p = data[i] * 6;
    trace[i] += *q;
  }
}
// Other reducers in the same loop do not matter.
// CHECK-LABEL: {{^(static )?void }}beside_{{[a-z0-9_]*}}(int n){{$}}
// CHECK: unsigned long [[SUM:cilk_value_[0-9]+]] = (long)0
// CHECK: [[SUM]] += 1
// CHECK-NOT: if ([[SUM]]
// CHECK: trace[i] += __atomic_load_n(&most
static void beside(int n) {
  for (int i = 0; i < n; i++) {
    total++;
    if (most < data[i] * 9) most = data[i] * 9;
    trace[i] += most;
  }
}

// A chunk of iterations has views where the reducer is the same, and none where it is an element.
static void in_parallel(int n) {
  cilk_for (int i = 0; i < n; i++) {
    bins[data[i] % bins_count]++;
    total += 2;
    REDUCER_VIEW(hits) += data[i];
    CILK_C_REDUCER_MAX_CALC(top, data[i] - 5);
  }
}
// One that the function declares, and that children use.
static void add_to(sum_reducer* sum, int begin, int end) {
  for (int i = begin; i < end; i++)
    if (data[i] & 1) *sum += data[i];
}
static long own(int n) {
  sum_reducer sum = 1;
  for (int i = 0; i < 8; i++) sum += i;
  for (int i = 0; i < n; i += 100) cilk_spawn add_to(&sum, i, i + 100 < n ? i + 100 : n);
  for (int i = 0; i < 50; i++) sum += data[i];
  cilk_sync;
  for (int i = 0; i < 8; i++) {
    sum += i;
    trace[i] += sum;
  }
  return sum;
}

static void all(void) {
  cilk_spawn sums(0, size);
  cilk_spawn spread(0, size);
  cilk_sync;
  cilk_spawn ways(size);
  cilk_spawn by_place(&bins[1], &counts, 11, 700);
  cilk_sync;
  reads(size);
  calls(size);
  perhaps(&most, &most, size);
  beside(size);
  cilk_spawn sums(7, 7);
  cilk_sync;
}

int main(void) {
  for (int i = 0; i < size; i++) data[i] = (int)((i * 2654435761u) >> 20) % 1000 + 1;
  all();
  in_parallel(size);
  printf("%ld %u %x %d %lx %d %d %d\n", total, product, common, seen, parity, most, least, found);
  printf("%ld %d %d\n", REDUCER_VIEW(hits), REDUCER_VIEW(top), REDUCER_VIEW(bottom));
  printf("%d %ld %d\n", counts.before, counts.calls, counts.far);
  printf("%d ", REDUCER_VIEW(odds));
  for (int i = 0; i < bins_count; i++) printf("%ld %d ", bins[i], best_of[i]);
  printf("\n%ld\n", own(size));
  long check = 0;
  for (int i = 0; i < size; i++) check = check * 31 + trace[i];
  printf("%ld\n", check);
  return 0;
}
