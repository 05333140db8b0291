// Functions of C's library in tasks: text, sorting and searching, random numbers.
// RUN: %device-run-and-compare %s
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
  int key;
  char name[12];
};

static int by_key(const void* a, const void* b) {
  const int x = ((const struct record*)a)->key, y = ((const struct record*)b)->key;
  return (x > y) - (x < y);
}

static long points(int depth, unsigned seed) {
  if (depth == 0) {
    long inside = 0;
    for (int i = 0; i < 50; ++i) {
      double x = rand_r(&seed) / (double)RAND_MAX, y = rand_r(&seed) / (double)RAND_MAX;
      inside += x * x + y * y < 1;
      if (__builtin_expect(__builtin_popcount(seed) + __builtin_ctz(seed | 64) > 60, 0)) __builtin_unreachable();
    }
    return inside * 100000 + seed % 1000;
  }
  long a = cilk_spawn points(depth - 1, seed * 2 + 1);
  long b = points(depth - 1, seed * 2 + 2);
  cilk_sync;
  return a + b;
}

static void fill(struct record* all, int n) {
  if (n <= 40) {
    for (int i = 0; i < n; ++i) {
      strcpy(all[i].name, "r");
      strncpy(all[i].name + 1, all[i].key % 2 ? "odd" : "even", 6);
      strcat(all[i].name, "!");
    }
    qsort(all, n, sizeof *all, by_key);
    return;
  }
  cilk_spawn fill(all, n / 2);
  fill(all + n / 2, n - n / 2);
  cilk_sync;
}

static long look(const struct record* all, int n, int low, int high) {
  if (high <= low) {
    fprintf(stderr, "%s: %d to %d\n", "no range", low, high);
    exit(2);
  }
  if (high - low == 1) {
    struct record key = {low, ""};
    const struct record* found = bsearch(&key, all, n, sizeof *all, by_key);
    if (found == NULL) return 0;
    return (long)strlen(found->name) * (found - all) + (strcmp(found->name, "rm") < 0) + 3 * (strncmp(found->name, "rodd", 3) == 0);
  }
  long a = cilk_spawn look(all, n, low, (low + high) / 2);
  long b = look(all, n, (low + high) / 2, high);
  cilk_sync;
  return a + b;
}

int main(void) {
  struct record all[300];
  for (int i = 0; i < 300; ++i) all[i].key = i * 73 % 307;
  fill(all, 300);
  long sum = 0;
  for (int i = 0; i < 300; ++i) sum = (sum * 31 + all[i].key + all[i].name[1]) % 1000003;
  printf("%ld %ld %ld\n", points(5, 0), sum, look(all, 37, 0, 307));
  return 0;
}
