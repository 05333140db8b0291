// Serially the child's exception is the first; what the continuation throws while the child has not
// ended is later. The elision prints 5, CHANNELS_GIVE=always 7.
#include <cilk/cilk.h>
#include <cstdio>

static int risky(int value) { throw value; }
static int both() {
  try {
    int a = cilk_spawn risky(5);
    int b = risky(7);
    cilk_sync;
    return a + b;
  } catch (int thrown) {
    return thrown;
  }
}
int main() { printf("%d\n", both()); }
