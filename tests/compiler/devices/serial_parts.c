// Cores of the host take long serial steps of tasks for a GPU: what partitions before its spawns, and what merges behind its
// sync. Short ones stay, and so do those of tasks that the host cannot run alike.
// RUN: %cilk2chan --device=emulated --explain %s -o %t 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: %cilk2chan --serial -O1 %s -o %t.serial
// RUN: %t.serial > %t.wanted
// RUN: env CHANNELS_DEVICE=emulated %t | diff %t.wanted -
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_FORCE_YIELD=0.3 %t | diff %t.wanted -
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_CUS=1 CHANNELS_MEMORY=1M %t | diff %t.wanted -
// RUN: env CHANNELS_ORDER=channels %t | diff %t.wanted -
// RUN: %cilk2chan --device=emulated --emit=tasks %s | grep -v CHECK | FileCheck %s
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

static int cutoff = 24;
static long compared;

static void swap(long* a, long* b) {
  long kept = *a;
  *a = *b;
  *b = kept;
}

// The loop stands in the task.
// SAID-DAG: quicksort: cores of the host take its long steps for a GPU
// SAID-DAG: mergesort: cores of the host take its long steps for a GPU
// SAID-DAG: sort_list: cores of the host take its long steps for a GPU
// CHECK-LABEL: struct quicksort_task {
// CHECK: serial_parts = true
// CHECK: ::outcome enter
static void quicksort(long* first, long* last) {
  if (last - first < cutoff) {
    for (long* i = first; i < last; i++)
      for (long* j = i; j > first && j[-1] > *j; j--) swap(j - 1, j);
    return;
  }
  const long pivot = first[(last - first) / 2];
  long *low = first, *high = last - 1;
  while (low <= high) {
    while (*low < pivot) low++;
    while (*high > pivot) high--;
    if (low <= high) swap(low++, high--);
  }
  cilk_spawn quicksort(first, high + 1);
  quicksort(low, last);
  cilk_sync;
}

// In a function that it calls, behind its sync; it has a result, and a structure as argument.
typedef struct {
  long *at, *spare;
  int size;
} part;
static int merge(part p, int half) {
  int i = 0, j = half, moved = 0;
  for (int k = 0; k < p.size; k++) {
    const int left = j == p.size || (i < half && p.at[i] <= p.at[j]);
    moved += !left;
    p.spare[k] = left ? p.at[i++] : p.at[j++];
  }
  for (int k = 0; k < p.size; k++) p.at[k] = p.spare[k];
  return moved;
}
// CHECK-LABEL: struct mergesort_task {
// CHECK: serial_parts = true
// CHECK: ::outcome enter
static long mergesort(part p) {
  if (p.size < 2) return 0;
  const int half = p.size / 2;
  part left = {p.at, p.spare, half}, right = {p.at + half, p.spare + half, p.size - half};
  long a = cilk_spawn mergesort(left);
  long b = mergesort(right);
  cilk_sync;
  return a + 2 * b + merge(p, half);
}

// Lists, by pointers from place to place, and children that use the frame of their parent.
typedef struct node {
  struct node* next;
  long value;
} node;
typedef struct {
  node *less, *more;
  int depth;
} halves;
// CHECK-LABEL: struct sort_list_task {
// CHECK: serial_parts = true
// CHECK: ::outcome enter
static void sort_list(node** list, const halves* up) {
  halves own = {NULL, NULL, up ? up->depth + 1 : 0};
  node* pivot = *list;
  if (!pivot || !pivot->next) return;
  for (node* one = pivot->next; one;) {
    node* next = one->next;
    node** to = one->value < pivot->value ? &own.less : &own.more;
    one->next = *to;
    *to = one;
    one = next;
  }
  cilk_spawn sort_list(&own.less, &own);
  sort_list(&own.more, &own);
  cilk_sync;
  node** end = &own.less;
  while (*end) end = &(*end)->next;
  *end = pivot;
  pivot->next = own.more;
  *list = own.less;
}

// Only reads in its loop, and sums up.
// CHECK-LABEL: struct count_task {
// CHECK-NOT: serial_parts
// CHECK: ::outcome enter
static long count(const long* a, int n) {
  long found = 0;
  for (int i = 0; i < n; i += 16) found += a[i] & 1;
  if (n < 64) return found;
  long left = cilk_spawn count(a, n / 2);
  long right = count(a + n / 2, n - n / 2);
  cilk_sync;
  return left + right + found;
}

static unsigned long hash(const long* a, int n) {
  unsigned long h = 1;
  for (int i = 0; i < n; i++) h = h * 31 + (unsigned long)a[i];
  return h;
}
static void fill(long* a, int n, unsigned seed) {
  for (int i = 0; i < n; i++) {
    seed = seed * 1664525u + 1013904223u;
    a[i] = seed >> 8;
  }
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 20000;
  long* a = malloc(sizeof *a * n);
  long* spare = malloc(sizeof *a * n);
  node* nodes = malloc(sizeof *nodes * n);
  for (unsigned run = 0; run < 3; run++) {
    fill(a, n, run);
    compared = count(a, n);
    quicksort(a, a + n);
    printf("%lu %ld\n", hash(a, n), compared);
    fill(a, n, 7 + run);
    part all = {a, spare, n};
    printf("%ld", mergesort(all));
    printf(" %lu\n", hash(a, n));
    fill(a, n, 17 + run);
    node* list = NULL;
    for (int i = 0; i < n; i++) {
      nodes[i].value = a[i];
      nodes[i].next = list;
      list = &nodes[i];
    }
    sort_list(&list, NULL);
    int k = 0;
    for (node* one = list; one; one = one->next) a[k++] = one->value;
    printf("%d %lu\n", k, hash(a, k));
    cutoff += 7;
  }
  free(a);
  free(spare);
  free(nodes);
  return 0;
}
