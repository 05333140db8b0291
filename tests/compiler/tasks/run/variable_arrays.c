// Arrays of variable length: before spawns and after them, in loops, of structures and of arrays; and alloca for a
// variable, a place, a length that can be asked for only once.
// RUN: %tasks-run-and-compare %s 9
// RUN: %host-code-run-and-compare %s -- 9
// RUN: %device-run-and-compare %s -- 4
#include <alloca.h>
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
  long sum;
  char name[3];
};
struct holder {
  int* values;
};

static int asked;
static int length_of(int n) {
  __atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED);
  return n;
}

// The children write into what their parent has.
static void fill(long* to, int n, long from) {
  if (n == 1) {
    *to = from;
    return;
  }
  cilk_spawn fill(to, n / 2, from);
  fill(to + n / 2, n - n / 2, from + n / 2);
  cilk_sync;
}

long work(int n) {
  if (n < 2) return n;
  long results[n + 1];
  struct pair pairs[n];
  char rows[n][4];
  struct holder h;
  int* copy;
  for (int i = 0; i < n; i++) {
    long part[i + 1];
    results[i] = cilk_spawn work(i / 2);
    memset(rows[i], i, 4);
    fill(part, i + 1, 7 * i);
    cilk_sync;
    pairs[i].sum = part[i] + part[0];
    pairs[i].name[1] = (char)i;
  }
  h.values = alloca(length_of(n) * sizeof(int));
  copy = (int*)__builtin_alloca(0);
  char* letters = alloca(n);
  for (int i = 0; i < n; i++) {
    h.values[i] = (int)results[i] + rows[i][3];
    letters[i] = pairs[i].name[1];
  }
  results[n] = cilk_spawn work(n - 2);
  cilk_sync;
  long sum = results[n] + (copy == NULL);
  for (int i = 0; i < n; i++) sum += h.values[i] * pairs[i].sum + letters[i];
  if (sum % 3 == 0) {
    int more[n];
    more[0] = 5;
    sum += more[0];
  }
  return sum;
}

int main(int argc, char** argv) {
  (void)argc;
  long sum = work(atoi(argv[1]));
  printf("%ld %d\n", sum, asked);
  return 0;
}
