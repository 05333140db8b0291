// Which variables tasks on a device have copies of, and that they, and the host between runs, see the values that the
// serial program sees: scalars, arrays, structures, pointers that stay in sight, and those of which there is no copy.
// RUN: %device-run-and-compare %s --device-aggregator
// RUN: %cilk2chan --device=emulated --explain --emit=tasks -o %t.tasks %s 2>&1 | FileCheck --check-prefix=SAYS %s
// RUN: FileCheck --check-prefix=BIND %s < %t.tasks
// An object is not all of a program: its static variables have copies, others may be anybody's.
// RUN: %cilk2chan -O0 --device=emulated --explain -c %s -o %t.o 2>&1 | FileCheck --check-prefix=PART %s
// PART: best: variable, used where the host has it: other files may use it
// PART: row_sums: variable, copied to devices and back
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { size = 32 };

// SAYS: {{^}}best: variable, copied to devices and back
int best = -1;
// SAYS: {{^}}bias: variable, copied to devices{{$}}
static int bias = 3;
// SAYS: {{^}}cells: variable, copied to devices and back
unsigned char cells[4][size];
// SAYS: {{^}}row_sums: variable, copied to devices and back
static long row_sums[4];
// SAYS: {{^}}about: variable, copied to devices and back
static struct about {
  int runs;
  struct { short low, high; } range;
  double mean[2];
} about;
// SAYS: {{^}}data: variable, copied to devices{{$}}
static int* data;
// SAYS: {{^}}moves: variable, copied to devices{{$}}
static const struct move { char name[4]; int by; } moves[2] = {{"up", 1}, {"on", 2}};
// SAYS: {{^}}pointed: variable, used where the host has it: {{.*}}variables.c:[[@LINE+58]]:{{[0-9]+}}: a pointer to it gets out of sight
static int pointed[4];
// SAYS: {{^}}given: variable, used where the host has it: {{.*}}variables.c:[[@LINE+72]]:{{[0-9]+}}: a pointer
static int given[4];
// SAYS: {{^}}watched: variable, used where the host has it: it is volatile
static volatile int watched;
// SAYS: {{^}}counted: variable, used where the host has it: host code uses it with atomic operations
static int counted;
// SAYS: {{^}}placed: variable, used where the host has it: it has attributes
static int placed __attribute__((section("placed_here"))) = 1;
// SAYS: {{^}}large: variable, copied to devices and back
static char large[1 << 18];
// SAYS: {{^}}table: variable, copied to devices{{$}}
static short table[300][60];
// SAYS: {{^}}records: variable, copied to devices and back
static struct record { char of_tasks; short of_host; double sum; } records[5000];
// SAYS: {{^}}huge: variable, used where the host has it: with what is smaller it has more than 268435456 bytes
static char huge[1 << 28];

// BIND: static void cilk_bind(
// BIND-DAG: cilk_copies.copy_in_and_out(cilk_address_{{[0-9]+}}, &best);
// BIND-DAG: cilk_copies.copy_in(cilk_address_{{[0-9]+}}, &bias);
// BIND-DAG: channels::cilk::bind(cilk_address_{{[0-9]+}}, &pointed);
// BIND: }

static void raise_best(int value) {
  int seen = __atomic_load_n(&best, __ATOMIC_RELAXED);
  while (value > seen && !__atomic_compare_exchange_n(&best, &seen, value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}
static void count(int n) { __atomic_fetch_add(&counted, n, __ATOMIC_RELAXED); }

// These pointers stay in sight.
static long sum_of(const unsigned char* from, int count) {
  const unsigned char* end = from + count;
  long sum = 0;
  for (int i = 0; i < size; i++) sum += from != end ? *from++ : 0;
  return sum;
}

void fill(int row, int lo, int hi) {
  if (hi - lo == 1) {
    unsigned char* cell = &cells[row][lo];
    *cell = (unsigned char)(data[lo] * (row + 1) + bias + moves[lo & 1].by);
    raise_best(*cell);
    count(1);
    return;
  }
  int mid = (lo + hi) / 2;
  cilk_spawn fill(row, lo, mid);
  fill(row, mid, hi);
  cilk_sync;
}

static int* keep;
void all(int* also) {
  for (int row = 0; row < 4; row++) cilk_spawn fill(row, 0, size);
  cilk_sync;
  keep = pointed;
  for (int row = 0; row < 4; row++) {
    row_sums[row] = sum_of(cells[row], size);
    keep[row] += (int)row_sums[row];
    also[row] += pointed[row] + placed;
    given[row] += watched;
    large[row] += 1;
    large[sizeof large - 1 - row] += 2;
    huge[row] += 3;
    records[row * 1000].of_tasks += 1 + table[row * 70][59];
    records[row * 1000 + 999].sum += row + 0.5;
  }
  about.runs++;
  about.range.high = cells[3][0] > about.range.high ? cells[3][0] : about.range.high;
  about.mean[about.runs & 1] = row_sums[1] / (double)size;
}
static void print_given(void) { all(given); }

int main(void) {
  data = malloc(size * sizeof *data);
  for (int run = 0; run < 3; run++) {
    for (int i = 0; i < size; i++) data[i] = i * run % 7;
    if (run == 1) bias = 5;
    watched = run;
    about.range.low = (short)-run;
    count(1000);
    print_given();
    printf("%d: best %d, counted %d, about %d %d %d %g %g\n", run, best, counted, about.runs, about.range.low,
           about.range.high, about.mean[0], about.mean[1]);
    for (int row = 0; row < 4; row++) printf("%ld %d %d %d\n", row_sums[row], pointed[row], given[row], large[row]);
    for (int row = 0; row < 4; row++) {
      struct record* first = &records[row * 1000];
      printf("%d %d %d %d %g\n", large[sizeof large - 1 - row], huge[row], first->of_tasks, first->of_host, first[999].sum);
      first->of_host += 2;
      first[998].sum++;
      table[row * 70][59] = row + run;
    }
    // What the host does to them in between.
    if (run == 0) best = -7;
    memset(cells, run, sizeof cells);
    row_sums[2] = 0;
    large[1]--;
  }
  return 0;
}
