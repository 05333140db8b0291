// A variable of a structure without a name, which no task uses: its structure is not in the tasks' file.
// RUN: %host-code-run-and-compare %s
// RUN: %cilk2chan -O0 %s -o %t.out 2>&1 | count 0
#include <cilk/cilk.h>
#include <stdio.h>

static int sum(int n) {
  if (n < 2) return n;
  int x = cilk_spawn sum(n - 1);
  int y = sum(n - 2);
  cilk_sync;
  return x + y;
}
static const struct {
  const char* name;
  int n;
} cases[] = {{"few", 5}, {"more", 12}};

int main(void) {
  for (int i = 0; i < 2; ++i) printf("%s %d\n", cases[i].name, sum(cases[i].n));
  return 0;
}
