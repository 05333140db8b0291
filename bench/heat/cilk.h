/* cilk.c for the C++ that measures it. */
#ifndef CHANNELS_BENCH_HEAT_CILK_H
#define CHANNELS_BENCH_HEAT_CILK_H

#if defined(__cplusplus)
extern "C" {
#endif

void bench_cilk_set_up(int columns, int rows, int steps);
/* One step, from `from` into `into`; returns its strips. */
int bench_cilk_step(double** into, double** from, double t);

#if defined(__cplusplus)
}
#endif

#endif
