/* The Cilk program as cilk2chan compiles it for the host. */
#include "bench/skynet/cilk.h"

#define main cilk_main
#include "examples/corpus/skynet.c"
#undef main

long bench_cilk_skynet(long leaves) { return skynet(0, leaves); }
