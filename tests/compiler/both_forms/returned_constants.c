// Constants of a block that a function returns while children are outstanding, and other values
// that the compiler knows.
// RUN: %host-code-run-and-compare %s
// RUN: %device-run-and-compare %s
#include <cilk/cilk.h>
#include <stdio.h>

struct inner { unsigned a; const int b; };
struct outer { unsigned long first; unsigned bits : 24; const struct inner in; unsigned last; };

enum { eight = 8 };
static const struct outer usual = {1, 2, {3, 4}, 5};
static long noted;
static void note(long n) { __atomic_fetch_add(&noted, n, __ATOMIC_RELAXED); }
static long number(int n) {
  for (int i = 0; i < n; i++) {
    const long seven = 7;
    for (int j = 0; j < 2; j++) {
      cilk_spawn note(j);
      if (i == 1 && n != 3) return seven;
      if (i == 2) return eight + sizeof(seven);
    }
    if (n == 3) cilk_sync;
  }
  cilk_spawn note(1);
  return 3 * 5;
}
static struct outer object(int n) {
  for (int k = n; k < 3; k++) {
    const struct outer mine = {7, 8, {9, -1}, 11};
    for (int j = 0; j < 2; j++) {
      cilk_spawn note(k);
      return mine;
    }
  }
  cilk_spawn note(1);
  return usual;
}
static long use(int n) {
  const struct outer one = object(n);
  long x = cilk_spawn number(n);
  long y = number(n + 1);
  cilk_sync;
  return one.first + one.bits * 10 + one.in.a * 100 + one.in.b * 1000 + one.last * 10000 + x + 3 * y;
}

int main(void) {
  for (int i = 0; i < 6; i++) printf("%ld\n", use(i));
  printf("%ld\n", noted);
  return 0;
}
