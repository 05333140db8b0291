/* cilk.c for the C++ that measures it. */
#ifndef CHANNELS_BENCH_KNAPSACK_CILK_H
#define CHANNELS_BENCH_KNAPSACK_CILK_H

#if defined(__cplusplus)
extern "C" {
#endif

/* The best value of `n` of the program's items. */
int bench_cilk_knapsack(const void* items, int capacity, int n);

#if defined(__cplusplus)
}
#endif

#endif
