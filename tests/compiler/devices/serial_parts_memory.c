// Steps that cores of the host take may allocate and free: blocks of theirs that lanes free, and of lanes that they free.
// RUN: %cilk2chan --device=emulated --explain %s -o %t 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: %cilk2chan --serial -O1 %s -o %t.serial
// RUN: %t.serial > %t.wanted
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_STATS=1 %t 2>%t.stats | diff %t.wanted -
// RUN: grep -E 'host steps +[1-9]' %t.stats
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_FORCE_YIELD=0.3 %t | diff %t.wanted -
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_CUS=1 CHANNELS_MEMORY=1M %t | diff %t.wanted -
// RUN: env CHANNELS_ORDER=channels %t | diff %t.wanted -
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  long n;
  long* v;
} list;

// Merges what its children have allocated.
// SAID-DAG: sorted: cores of the host take its long steps for a GPU
static list sorted(long from, long n) {
  list made = {n, NULL};
  if (n < 50) {
    made.v = malloc(n * sizeof(long));
    for (long i = 0; i < n; i++) {
      long value = (from + i) * 7919 % 10007, j = i;
      for (; j > 0 && made.v[j - 1] > value; j--) made.v[j] = made.v[j - 1];
      made.v[j] = value;
    }
    return made;
  }
  list a = cilk_spawn sorted(from, n / 2);
  list b = sorted(from + n / 2, n - n / 2);
  cilk_sync;
  made.v = realloc(calloc(n / 2 + 1, sizeof(long)), n * sizeof(long));
  for (long i = 0, j = 0, k = 0; k < n; k++) made.v[k] = j == b.n || (i < a.n && a.v[i] <= b.v[j]) ? a.v[i++] : b.v[j++];
  free(a.v);
  free(b.v);
  return made;
}

typedef struct tree {
  int count;
  long sum;
  struct tree* parts[6];
} tree;

// Spawns in a loop, behind one that sorts into parts.
// SAID-DAG: grow: cores of the host take its long steps for a GPU
static void grow(tree* t, int* numbers, int n, int divisor) {
  t->count = n;
  if (n < 12 || divisor > 100000) {
    for (int i = 0; i < n; i++) t->sum += numbers[i];
    return;
  }
  int begin[7] = {0}, at[6];
  int* other = malloc(n * sizeof *other);
  for (int i = 0; i < n; i++) begin[numbers[i] / divisor % 6 + 1]++;
  for (int p = 0; p < 6; p++) {
    begin[p + 1] += begin[p];
    at[p] = begin[p];
  }
  for (int i = 0; i < n; i++) other[at[numbers[i] / divisor % 6]++] = numbers[i];
  memcpy(numbers, other, n * sizeof *other);
  free(other);
  for (int p = 0; p < 6; p++) {
    if (begin[p + 1] == begin[p]) continue;
    t->parts[p] = calloc(1, sizeof(tree));
    cilk_spawn grow(t->parts[p], numbers + begin[p], begin[p + 1] - begin[p], divisor * 6);
  }
  cilk_sync;
  for (int p = 0; p < 6; p++)
    if (t->parts[p]) t->sum += t->parts[p]->sum;
}
static void fell(tree* t) {
  for (int p = 0; p < 6; p++)
    if (t->parts[p]) cilk_spawn fell(t->parts[p]);
  cilk_sync;
  free(t);
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 20000;
  int* numbers = malloc(n * sizeof *numbers);
  for (int run = 0; run < 3; run++) {
    list all = sorted(run, n);
    unsigned long hash = 1;
    for (long i = 0; i < all.n; i++) hash = hash * 31 + (unsigned long)all.v[i];
    printf("%ld %lu\n", all.n, hash);
    free(all.v);
    unsigned seed = run;
    for (int i = 0; i < n; i++) numbers[i] = (int)((seed = seed * 1664525u + 1013904223u) >> 8);
    tree* root = calloc(1, sizeof *root);
    grow(root, numbers, n, 1);
    printf("%d %ld\n", root->count, root->sum);
    fell(root);
  }
  free(numbers);
  return 0;
}
