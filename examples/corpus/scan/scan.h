/* Prefix sums in two passes over a tree of partial sums, in a unit of their own. */
#ifndef SCAN_H
#define SCAN_H

typedef unsigned long number;

#define SCAN_LEAF 64

/* The sum of in[begin, end). Where it cuts a range, it stores the sum of the left half in partial,
 * for scan_down. */
number scan_up(const number* in, long begin, long end, number* partial);

/* out[i] = before + in[begin] + ... + in[i], for i in [begin, end). */
void scan_down(const number* in, number* out, long begin, long end, number* partial, number before);

/* How many numbers partial has, for n of in. */
long scan_partials(long n);

#endif
