#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <cilk/reducer_opadd.h>
#include <stdio.h>

#if !defined(FROM_FLAGS) || !defined(FROM_BUILD_TYPE) || !defined(FROM_LINKED)
#error flags are missing
#endif

long sum_up_to(long n);

static long fib(int n) {
  if (n < BASE) return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

int main(void) {
  CILK_C_REDUCER_OPADD(workers, int, 0);
  REDUCER_VIEW(workers) += __cilkrts_get_nworkers();
  const long of_20 = cilk_spawn fib(20);
  const long sum = sum_up_to(1000);
  cilk_sync;
  printf("fib(20) = %ld, 1 + ... + 1000 = %ld\n", of_20, sum);
  return of_20 == 6765 && sum == 500500 && workers.value > 0 ? 0 : 1;
}
