// What tasks write to stderr, and to stdout by name, comes out as their serial elision has it, also if the program ends in
// a task. On a device all of it comes when the run is over.
// RUN: %cilk2chan -O0 --device=emulated %s -o %t.out 2>&1 | count 0
// RUN: %cilk2chan --serial -w %s -o %t.serial
// RUN: %ends-alike %t.serial %t.out
// More than there is room for is told:
// RUN: env CHANNELS_DEVICE=emulated %t.out 5 2>&1 >/dev/null | tail -n 1 | FileCheck %s
// CHECK: channels: {{[0-9]+}} more messages of tasks to stderr found no room in the 1048576 bytes that a run has for them
// RUN: %cilk2chan --device=emulated --emit=tasks -DREFUSED %s -o - 2>&1 | FileCheck %s --check-prefix=STAYS
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

enum colour { red, green = -7 };

static void formats(long n) {
  signed char small = (signed char)(n + 200);
  unsigned char byte = (unsigned char)(n + 250);
  short brief = (short)(n + 40000);
  void* nothing = NULL;
  char text[8] = "abc";
  text[1] = (char)('a' + n % 3);
  fprintf(stderr, "%d %5d|%-5d|%05d|%+d|% d\n", (int)n, (int)n, (int)n, (int)n, (int)n, -3);
  fprintf(stderr, "%hhd %hhu %hd %hu %x %X %#o\n", small, byte, brief, (unsigned short)brief, 255U, 255U, 8U);
  fprintf(stderr, "%ld %lu %lld %zu %jd %u\n", -n, 1UL << 63, -1LL, sizeof text, (long)n, (unsigned)-1);
  fprintf(stderr, "%f %.2f %10.3e|%-10g|%G %a\n", n / 3.0, 2.5f, 12345.678, 0.0001, 1e20, 1.0);
  fprintf(stderr, "%s|%5s|%-5s|%.2s|%c%c|%%\n", text, "x", "y", "long", 'q', text[1]);
  fprintf(stderr, "%*d|%-*d|%.*f\n", 6, 42, 6, 42, 1, 2.25);
  fprintf(stderr, "%d %p\n", green, nothing);
  (void)fprintf(stderr, "no arguments\n");
  fputs("text\n", stderr);
  fputc('!', stderr);
  putc('\n', stderr);
  fprintf(stdout, "out %ld\n", n);
  fflush(stdout);
}

static long many(long low, long high) {
  if (high - low == 1) {
    fprintf(stderr, "message number %ld of very many\n", low);
    return 1;
  }
  long a = cilk_spawn many(low, (low + high) / 2);
  long b = many((low + high) / 2, high);
  cilk_sync;
  return a + b;
}

static long look(long low, long high, int way) {
  if (high - low == 1) {
    if (low == 7 && way == 1) formats(low);
    if (low == 9 && way == 2) {
      fprintf(stderr, "%ld: no memory for %zu bytes\n", low, (size_t)1 << 40);
      exit(4);
    }
    return low;
  }
  long a = cilk_spawn look(low, (low + high) / 2, way);
  long b = look((low + high) / 2, high, way);
  cilk_sync;
  return a + b;
}

#if defined(REFUSED)
// STAYS: uses_result: stays on the host, depth-first: {{.*}}'fprintf'
// STAYS: to_a_file: stays on the host, depth-first: {{.*}}'fputs'
static long uses_result(long n) {
  if (n < 2) return fprintf(stderr, "%ld", n);
  long a = cilk_spawn uses_result(n - 1);
  cilk_sync;
  return a;
}
static long to_a_file(long n, FILE* file) {
  if (n < 2) fputs("x", file);
  if (n < 2) return 1;
  long a = cilk_spawn to_a_file(n - 1, file);
  cilk_sync;
  return a;
}
long refused(FILE* file) { return uses_result(3) + to_a_file(3, file); }
#endif

int main(int argc, char** argv) {
  int way = argc > 1 ? atoi(argv[1]) : 0;
  if (way == 5) return (int)many(0, 40000) & 1;
  printf("%ld\n", look(0, 20, way));
  fflush(stdout);
  printf("%ld\n", look(0, 20, way));
  return 0;
}
