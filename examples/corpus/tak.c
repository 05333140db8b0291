/* Takeuchi's function, whose arguments are calls of itself, and Hofstadter's Q and Ackermann's,
 * whose are nested: plain calls of functions that spawn, as arguments of functions that spawn. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

#include "timing.h"

int tak(int x, int y, int z) {
  if (y >= x) return z;
  int a = cilk_spawn tak(x - 1, y, z);
  int b = cilk_spawn tak(y - 1, z, x);
  int c = tak(z - 1, x, y);
  cilk_sync;
  return tak(a, b, c);
}

/* The same with all in one expression; the outermost call is not spawned. */
int tak_plain(int x, int y, int z) {
  return x <= y ? z : tak_plain(tak(x - 1, y, z), tak(y - 1, z, x), tak_plain(z - 1, x, y));
}

int hofstadter(int n) {
  int x, y;
  if (n <= 2) return 1;
  x = cilk_spawn hofstadter(n - hofstadter(n - 1));
  y = cilk_spawn hofstadter(n - hofstadter(n - 2));
  cilk_sync;
  return x + y;
}

unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

int main(int argc, char** argv) {
  int n = 6, t, p, q;
  unsigned a;

  argc = timing_option(argc, argv);
  if (argc > 1) n = atoi(argv[1]);
  timing_begin();
  t = cilk_spawn tak(2 * n, n, 0);
  p = tak_plain(2 * n - 1, n, 1);
  q = hofstadter(3 * n);
  a = ackermann(2, n);
  cilk_sync;
  timing_end();
  printf("tak(%d, %d, 0) = %d, tak(%d, %d, 1) = %d, Q(%d) = %d, ackermann(2, %d) = %u\n", 2 * n, n,
         t, 2 * n - 1, n, p, 3 * n, q, n, a);
  return a == 2u * n + 3 ? 0 : 1;
}
