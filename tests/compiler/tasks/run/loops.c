// Spawns in for, do and nested loops, with arguments and counters that change between them.
// RUN: %tasks-run-and-compare %s 6
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

static int calls;

static int next(int* counter) { return (*counter)++; }

static int square(int n) { return n * n; }

static long walk(int depth, int width) {
  long results[4][4] = {{0}};
  int squares[4] = {0, 1};
  const int scale[3] = {1, 10, 100};
  int counter = 0, plain = 0;
  if (depth == 0) return width;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0, k = 5; j < 2; ++j, --k) {
      const int weight = k * 2;
      results[i][j] = cilk_spawn walk(depth - 1, next(&counter) + weight);
    }
    int unrelated = i * 3;
    plain += unrelated;
  }
  do {
    int at = plain % 4;
    squares[at] = cilk_spawn square(next(&plain) + 1);
  } while (plain < 6);
  cilk_sync;
  long sum = counter;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) sum += results[i][j] * scale[j % 3];
  for (int i = 0; i < 4; ++i) sum += squares[i];
  for (int i = 0; i < width % 3; i++) {
    long more = walk(depth - 1, i);
    sum += more;
  }
  return sum % 100003;
}

int main(int argc, char** argv) {
  (void)argc;
  for (int i = 0; i < atoi(argv[1]) - 1; ++i) printf("%ld\n", walk(i, i + 2));
  return calls;
}
