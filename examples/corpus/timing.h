/* Wall-clock time of the part of a program that is parallel: with -t on the command line it is
 * printed on stderr, so that stdout stays the same from run to run. */
#ifndef CORPUS_TIMING_H
#define CORPUS_TIMING_H

#include <stdio.h>
#include <string.h>
#include <time.h>

static int timing_wanted;
static double timing_started;

static inline double timing_now(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Takes -t out of the arguments and returns how many are left. */
static inline int timing_option(int argc, char** argv) {
  int kept = 0;
  for (int i = 0; i < argc; i++) {
    if (i > 0 && strcmp(argv[i], "-t") == 0)
      timing_wanted = 1;
    else
      argv[kept++] = argv[i];
  }
  argv[kept] = NULL;
  return kept;
}

static inline void timing_begin(void) { timing_started = timing_now(); }

static inline void timing_end(void) {
  if (timing_wanted) fprintf(stderr, "seconds: %.6f\n", timing_now() - timing_started);
}

#endif
