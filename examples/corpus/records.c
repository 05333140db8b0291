/* A small library of parallel algorithms for arrays of anything, as C has them: elements are bytes
 * of some size, and functions come as pointers. Records are sorted by several keys, summed up by
 * groups, and changed in place. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing.h"

/* ---- the library ---- */

typedef int (*comparison)(const void*, const void*);

/* What a reduction does: `view` is the size of what it computes. */
typedef struct reduction {
  size_t view;
  void (*start)(void* view);
  void (*add)(void* view, const void* element);
  void (*join)(void* view, const void* right);
} reduction;

enum { small = 32, most_view = 256 };

static void insertion_sort(char* a, size_t n, size_t size, comparison compare, char* spare) {
  for (size_t i = 1; i < n; i++) {
    size_t j = i;
    memcpy(spare, a + i * size, size);
    for (; j > 0 && compare(spare, a + (j - 1) * size) < 0; j--)
      memcpy(a + j * size, a + (j - 1) * size, size);
    memcpy(a + j * size, spare, size);
  }
}

/* The number of elements that come before `key`, or are equal to it if `after`. */
static size_t place(const char* a, size_t n, size_t size, const void* key, comparison compare,
                    int after) {
  size_t low = 0;
  while (low < n) {
    const size_t middle = (low + n) / 2;
    const int order = compare(a + middle * size, key);
    if (order < 0 || (after && order == 0))
      low = middle + 1;
    else
      n = middle;
  }
  return low;
}

/* Merges a and b into to; of equal elements those of a come first. */
static void merge(const char* a, size_t na, const char* b, size_t nb, char* to, size_t size,
                  comparison compare) {
  if (na + nb <= 4 * small) {
    while (na > 0 && nb > 0) {
      const int from_b = compare(b, a) < 0;
      memcpy(to, from_b ? b : a, size);
      to += size;
      if (from_b) {
        b += size;
        nb--;
      } else {
        a += size;
        na--;
      }
    }
    memcpy(to, a, na * size);
    memcpy(to + na * size, b, nb * size);
    return;
  }
  size_t la, lb;
  if (na >= nb) {
    la = na / 2;
    lb = place(b, nb, size, a + la * size, compare, 0);
  } else {
    lb = nb / 2;
    la = place(a, na, size, b + lb * size, compare, 1);
  }
  cilk_spawn merge(a, la, b, lb, to, size, compare);
  merge(a + la * size, na - la, b + lb * size, nb - lb, to + (la + lb) * size, size, compare);
  cilk_sync;
}

/* Sorts n elements; equal ones stay in their order. `spare` has room for as many. */
static void sort(char* a, size_t n, size_t size, comparison compare, char* spare) {
  if (n <= small) {
    insertion_sort(a, n, size, compare, spare);
    return;
  }
  const size_t half = n / 2;
  cilk_spawn sort(a, half, size, compare, spare);
  sort(a + half * size, n - half, size, compare, spare + half * size);
  cilk_sync;
  merge(a, half, a + half * size, n - half, spare, size, compare);
  memcpy(a, spare, n * size);
}

static void reduce(const char* a, size_t n, size_t size, const reduction* how, void* view) {
  how->start(view);
  if (n <= small) {
    for (size_t i = 0; i < n; i++) how->add(view, a + i * size);
    return;
  }
  long right[most_view / sizeof(long)];
  cilk_spawn reduce(a, n / 2, size, how, view);
  reduce(a + n / 2 * size, n - n / 2, size, how, right);
  cilk_sync;
  how->join(view, right);
}

static void for_each(char* a, size_t n, size_t size,
                     void (*change)(void* element, const void* with), const void* with) {
  cilk_for (size_t i = 0; i < n; i++) change(a + i * size, with);
}

/* ---- its user ---- */

enum { groups = 8 };

typedef struct record {
  int id, group;
  long pay;
  char name[12];
} record;

static int by_id(const void* a, const void* b) {
  return ((const record*)a)->id - ((const record*)b)->id;
}
static int by_pay(const void* a, const void* b) {
  const long x = ((const record*)a)->pay, y = ((const record*)b)->pay;
  return (x > y) - (x < y);
}
static int by_name(const void* a, const void* b) {
  return strcmp(((const record*)a)->name, ((const record*)b)->name);
}
static int by_group(const void* a, const void* b) {
  const int order = ((const record*)a)->group - ((const record*)b)->group;
  return order != 0 ? order : by_pay(b, a);
}

static const struct {
  const char* what;
  comparison compare;
} orders[] = {{"pay", by_pay}, {"name", by_name}, {"group", by_group}, {"id", by_id}};

typedef struct summary {
  long count[groups], pay[groups], least, most;
} summary;

static void start_summary(void* view) {
  summary* const s = view;
  memset(s, 0, sizeof *s);
  s->least = 1000000000;
}
static void add_record(void* view, const void* element) {
  summary* const s = view;
  const record* const r = element;
  s->count[r->group]++;
  s->pay[r->group] += r->pay;
  if (r->pay < s->least) s->least = r->pay;
  if (r->pay > s->most) s->most = r->pay;
}
static void join_summaries(void* view, const void* right) {
  summary* const s = view;
  const summary* const other = right;
  for (int i = 0; i < groups; i++) {
    s->count[i] += other->count[i];
    s->pay[i] += other->pay[i];
  }
  if (other->least < s->least) s->least = other->least;
  if (other->most > s->most) s->most = other->most;
}
static const reduction summing = {sizeof(summary), start_summary, add_record, join_summaries};

static void start_hash(void* view) { *(unsigned long*)view = 1; }
static void add_to_hash(void* view, const void* element) {
  unsigned long* const h = view;
  *h = *h * 31 + (unsigned long)((const record*)element)->id;
}
static void join_hashes(void* view, const void* right) {
  unsigned long* const h = view;
  *h = *h * 1000003 ^ *(const unsigned long*)right;
}
static const reduction hashing = {sizeof(unsigned long), start_hash, add_to_hash, join_hashes};

static void raise(void* element, const void* with) {
  record* const r = element;
  r->pay += r->pay * ((const int*)with)[r->group] / 100;
}

static void fill(record* all, long n) {
  unsigned seed = 12345;
  for (long i = 0; i < n; i++) {
    seed = seed * 1103515245 + 12345;
    const unsigned bits = seed >> 8;
    all[i] = (record){(int)i, (int)(bits % groups), (long)(bits / 8 % 90000) + 10000, ""};
    for (int j = 0; j < 8; j++) all[i].name[j] = (char)('a' + (bits >> (2 * j)) % 26);
  }
}

static int is_sorted(const record* all, long n, comparison compare) {
  for (long i = 1; i < n; i++) {
    if (compare(&all[i - 1], &all[i]) > 0) return 0;
  }
  return 1;
}

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  const long n = argc > 1 ? atol(argv[1]) : 20000;
  if (n < 1) return 2;
  record* const all = malloc((size_t)n * sizeof *all);
  record* const spare = malloc((size_t)n * sizeof *all);
  if (all == NULL || spare == NULL) return 1;
  fill(all, n);

  summary before, after;
  unsigned long hashes[4];
  int right = 1;
  const int percent[groups] = {1, 2, 3, 4, 5, 6, 7, 8};
  timing_begin();
  reduce((const char*)all, (size_t)n, sizeof *all, &summing, &before);
  for_each((char*)all, (size_t)n, sizeof *all, raise, percent);
  for (int i = 0; i < 4; i++) {
    sort((char*)all, (size_t)n, sizeof *all, orders[i].compare, (char*)spare);
    reduce((const char*)all, (size_t)n, sizeof *all, &hashing, &hashes[i]);
    right = right && is_sorted(all, n, orders[i].compare);
  }
  reduce((const char*)all, (size_t)n, sizeof *all, &summing, &after);
  timing_end();

  printf("%ld records, pay %ld to %ld, then %ld to %ld\n", n, before.least, before.most,
         after.least, after.most);
  for (int i = 0; i < groups; i++)
    printf("%ld: %ld, %ld%c", before.count[i], before.pay[i], after.pay[i],
           i + 1 < groups ? ';' : '\n');
  for (int i = 0; i < 4; i++)
    printf("by %s %08lx%s", orders[i].what, hashes[i] & 0xffffffff, i < 3 ? ", " : "");
  printf("; %s\n", right ? "sorted" : "WRONG");
  free(all);
  free(spare);
  return right ? 0 : 1;
}
