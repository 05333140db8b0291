/* cilk.c for the C++ that measures it. */
#ifndef CHANNELS_BENCH_SKYNET_CILK_H
#define CHANNELS_BENCH_SKYNET_CILK_H

#if defined(__cplusplus)
extern "C" {
#endif

long bench_cilk_skynet(long leaves);

#if defined(__cplusplus)
}
#endif

#endif
