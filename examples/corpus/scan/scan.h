/* Prefix sums in two passes over a tree of partial sums, in a unit of their own. */
#ifndef SCAN_H
#define SCAN_H

typedef unsigned long number;

#define SCAN_LEAF 64

/* The sum of in[0, n); stores the sums of left halves in partial[0, n / SCAN_LEAF * 2 + 2) for
 * scan_down. */
number scan_up(const number* in, long n, number* partial);

/* out[i] = before + in[0] + ... + in[i], for i in [0, n). */
void scan_down(const number* in, number* out, long n, const number* partial, number before);

/* How many of partial are the left half's. */
long scan_partials(long n);

#endif
