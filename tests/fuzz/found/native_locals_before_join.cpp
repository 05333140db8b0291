// The implicit sync at a return stands behind the end of the locals' lives: with
// CHANNELS_GIVE=always the child writes into memory that has been given back. At -O0 this crashes;
// at any level with -fsanitize=address (stack-use-after-scope), also in C, also for `long
// values[4]`.
#include <cilk/cilk.h>
#include <cstdio>

static long set(long* place, int n) {
  for (int i = 0; i < n; i++) place[i] = -1;
  return 3;
}
static int array(int n) {
  long values[2 + n];
  values[0] = 0;
  long x = cilk_spawn set(values, 2);
  return 1;
}
int main() { printf("%d\n", array(2)); }
