// What C programs call in tasks: memory of any alignment, memory that grows, lines of output, clocks.
// RUN: %device-run-and-compare %s
#include <cilk/cilk.h>
#include <mm_malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

static long off(const void* block, uintptr_t alignment) { return (uintptr_t)block % alignment != 0; }

/* A row of numbers that grows, and a copy of it in aligned memory. */
static long grow(int n) {
  int* row = malloc(sizeof *row);
  int room = 1;
  for (int i = 0; i < n; i++) {
    if (i == room) row = realloc(row, (size_t)(room *= 2) * sizeof *row);
    row[i] = i * n;
  }
  int* copy = aligned_alloc(64, 64 * ((size_t)n / 16 + 1));
  void* other = NULL;
  long* vector = _mm_malloc(sizeof(long) * (size_t)(n + 1), 256);
  long sum = off(copy, 64) + off(vector, 256) + (posix_memalign(&other, 128, 100) != 0) + off(other, 128);
  sum += posix_memalign(&other, 3, 100) == 0;
  memcpy(copy, row, (size_t)n * sizeof *row);
  /* aligned memory grows, too */
  copy = realloc(copy, 4096);
  for (int i = 0; i < n; i++) sum += copy[i] + (vector[i] = i);
  char* text = calloc(20, 1);
  text = realloc(text, 200);
  sum += (long)strlen(text);
  free(text);
  free(row);
  free(copy);
  free(other);
  _mm_free(vector);
  return sum;
}

/* How many clocks ran backwards. */
static long clocks(void) {
  struct timeval day[2];
  struct timespec fine[2];
  clock_t start = clock();
  time_t now = time(NULL);
  gettimeofday(&day[0], NULL);
  clock_gettime(CLOCK_MONOTONIC, &fine[0]);
  gettimeofday(&day[1], NULL);
  clock_gettime(CLOCK_MONOTONIC, &fine[1]);
  long bad = (clock() < start) + (time(NULL) < now);
  bad += (day[1].tv_sec - day[0].tv_sec) * 1000000L + (day[1].tv_usec - day[0].tv_usec) < 0;
  bad += (fine[1].tv_sec - fine[0].tv_sec) * 1000000000L + (fine[1].tv_nsec - fine[0].tv_nsec) < 0;
  return bad;
}

static long walk(int low, int high) {
  if (high - low == 1) return grow(low % 50 + 1) + 1000003 * clocks();
  int middle = (low + high) / 2;
  long a = cilk_spawn walk(low, middle);
  long b = walk(middle, high);
  cilk_sync;
  return a + b;
}

static long said(int n) {
  if (n == 0) return puts("a line") < 0;
  if (n == 1) return putchar('x') != 'x' || putchar('\n') != '\n';
  long a = cilk_spawn said(n - 2);
  cilk_sync;
  return a + said(n - 1 > 1 ? 1 : 0);
}

int main(void) {
  printf("%ld\n", walk(0, 300));
  fflush(stdout);
  long bad = said(2);
  fflush(stdout);
  printf("%ld\n", bad);
  return 0;
}
