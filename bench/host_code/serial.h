/* The serial elisions of the programs in tests/host_code/programs.c that are measured. */
#ifndef CHANNELS_BENCH_NATIVE_SERIAL_H
#define CHANNELS_BENCH_NATIVE_SERIAL_H

#if defined(__cplusplus)
extern "C" {
#endif

long serial_fib(long n);
long serial_queens(int rows);

#if defined(__cplusplus)
}
#endif

#endif
