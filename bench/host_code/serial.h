/* The serial elisions of the measured programs of tests/host_code/programs.c. */
#ifndef CHANNELS_BENCH_HOST_CODE_SERIAL_H
#define CHANNELS_BENCH_HOST_CODE_SERIAL_H

#if defined(__cplusplus)
extern "C" {
#endif

long serial_fib(long n);
long serial_queens(int rows);

#if defined(__cplusplus)
}
#endif

#endif
