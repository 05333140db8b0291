/* cilk.c for the C++ that measures it. */
#ifndef CHANNELS_BENCH_MATMUL_CILK_H
#define CHANNELS_BENCH_MATMUL_CILK_H

#if defined(__cplusplus)
extern "C" {
#endif

/* Adds the product of `a` and `b`, of n rows, to `c`. */
void bench_cilk_matmul(double* a, double* b, double* c, int n);

#if defined(__cplusplus)
}
#endif

#endif
