/* cilk.c for the C++ that measures it. */
#ifndef CHANNELS_BENCH_UTS_CILK_H
#define CHANNELS_BENCH_UTS_CILK_H

#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* What a walk of the tree that was chosen counted. */
struct cilk_counts {
  uint64_t nodes, leaves;
  int height;
};

void bench_cilk_choose(const char* tree);
struct cilk_counts bench_cilk_uts(void);

#if defined(__cplusplus)
}
#endif

#endif
