#include "scan.h"

#include <cilk/cilk.h>

static number scan_leaf(const number* in, long n) {
  number sum = 0;
  while (n-- > 0) sum += *in++;
  return sum;
}

/* Ranges are cut at places that are half a leaf apart at least, so each has a place of its own. */
long scan_partials(long n) { return n / (SCAN_LEAF / 2) + 1; }
static number* partial_at(number* partial, long middle) {
  return &partial[middle / (SCAN_LEAF / 2)];
}

number scan_up(const number* in, long begin, long end, number* partial) {
  long middle = begin + (end - begin) / 2;
  number left, right;

  if (end - begin <= SCAN_LEAF) return scan_leaf(in + begin, end - begin);
  left = cilk_spawn scan_up(in, begin, middle, partial);
  right = scan_up(in, middle, end, partial);
  cilk_sync;
  *partial_at(partial, middle) = left;
  return left + right;
}

void scan_down(const number* in, number* out, long begin, long end, number* partial,
               number before) {
  long middle = begin + (end - begin) / 2, i;

  if (end - begin <= SCAN_LEAF) {
    for (i = begin; i < end; i++) out[i] = before += in[i];
    return;
  }
  cilk_spawn scan_down(in, out, begin, middle, partial, before);
  scan_down(in, out, middle, end, partial, before + *partial_at(partial, middle));
}
