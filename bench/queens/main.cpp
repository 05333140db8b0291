#include <benchmark/benchmark.h>  // BENCHMARK_MAIN

BENCHMARK_MAIN();
