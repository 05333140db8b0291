/* Runs for long, so that something can happen to a rank in the middle. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

/* With `bad`, a task in the middle of the tree aborts. */
long walk(int depth, unsigned path, int bad) {
  if (bad && depth == 20 && path == 0x2aa) abort();
  if (depth == 0) return path & 1;
  long a = cilk_spawn walk(depth - 1, path << 1 & 0xfff, bad);
  long b = walk(depth - 1, (path << 1 | 1) & 0xfff, bad);
  cilk_sync;
  return a + b;
}

int main(int argc, char** argv) {
  const int bad = argc > 1;
  (void)argv;
  setvbuf(stdout, NULL, _IOLBF, 0);
  puts("begins");
  printf("%ld\n", walk(bad ? 36 : 45, 0, bad));
  return 0;
}
