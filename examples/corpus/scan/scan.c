#include "scan.h"

#include <cilk/cilk.h>

static number scan_leaf(const number* in, long n) {
  number sum = 0;
  while (n-- > 0) sum += *in++;
  return sum;
}

long scan_partials(long n) {
  return n <= SCAN_LEAF ? 0 : 1 + scan_partials(n / 2) + scan_partials(n - n / 2);
}

number scan_up(const number* in, long n, number* partial) {
  long half = n / 2;
  number right;

  if (n <= SCAN_LEAF) return scan_leaf(in, n);
  partial[0] = cilk_spawn scan_up(in, half, partial + 1);
  right = scan_up(in + half, n - half, partial + 1 + scan_partials(half));
  cilk_sync;
  return partial[0] + right;
}

void scan_down(const number* in, number* out, long n, const number* partial, number before) {
  long half = n / 2, i;

  if (n <= SCAN_LEAF) {
    for (i = 0; i < n; i++) out[i] = before += in[i];
    return;
  }
  cilk_spawn scan_down(in, out, half, partial + 1, before);
  scan_down(in + half, out + half, n - half, partial + 1 + scan_partials(half),
            before + partial[0]);
}
