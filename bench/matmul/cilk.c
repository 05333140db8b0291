/* The Cilk program as cilk2chan compiles it for the host. */
#include "bench/matmul/cilk.h"

#define main cilk_main
#include "examples/corpus/matmul.c"
#undef main

void bench_cilk_matmul(double* a, double* b, double* c, int n) { rec_matmul(a, b, c, n, n, n, n); }
