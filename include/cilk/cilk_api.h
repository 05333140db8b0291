/* What Cilk Plus and OpenCilk let a program ask its runtime. In a serial elision the answers are
 * those of one worker. */
#ifndef CILK_CILK_API_H
#define CILK_CILK_API_H

/* The names are Cilk Plus's, and this is C, too.
 * NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming,modernize-*) */

/* What __cilkrts_set_param returns. */
enum __cilkrts_set_param_status {
  __CILKRTS_SET_PARAM_SUCCESS = 0,
  __CILKRTS_SET_PARAM_UNIMP = 1,   /* there is no such parameter */
  __CILKRTS_SET_PARAM_XRANGE = 2,  /* the value is out of range */
  __CILKRTS_SET_PARAM_INVALID = 3, /* the value is no number, or a null pointer */
  __CILKRTS_SET_PARAM_LATE = 4     /* the runtime has been used */
};

/* The run of --races is the serial one. */
#if defined(__cilk) && !defined(CILK_STUB) && !defined(CHANNELS_CILK_RACES)

#if defined(__cplusplus)
extern "C" {
#endif

/* Sets "nworkers", the number of workers: a decimal number from 0, for one for each core, to 1024.
 * Call it before the program's first spawn or cilk_for. It comes before CHANNELS_CUS, which decides
 * otherwise. */
int __cilkrts_set_param(const char* name, const char* value);

/* The number of workers that run the program's children, the calling thread among them. */
int __cilkrts_get_nworkers(void);

/* One more than the largest number that a worker has had, and no less than the number of workers:
 * each thread of the program that spawns is a worker. */
int __cilkrts_get_total_workers(void);

/* The number of the worker that runs the caller, from 0; in tasks, of the compute unit. No two
 * workers have one number at the same time. While one thread of the program spawns, it is less than
 * the number of workers. What comes after a spawn or a sync may be another worker's. */
int __cilkrts_get_worker_number(void);

/* Whether the caller runs beside others: 1 in a program with several workers. */
int __cilkrts_running_on_workers(void);

#if defined(__cplusplus)
}
#endif

#else

static inline int __cilkrts_set_param(const char* name, const char* value) {
  (void)name;
  (void)value;
  return __CILKRTS_SET_PARAM_SUCCESS;
}
static inline int __cilkrts_get_nworkers(void) { return 1; }
static inline int __cilkrts_get_total_workers(void) { return 1; }
static inline int __cilkrts_get_worker_number(void) { return 0; }
static inline int __cilkrts_running_on_workers(void) { return 0; }

#endif

/* The runtime begins and ends by itself. */
static inline void __cilkrts_init(void) {}
static inline void __cilkrts_end_cilk(void) {}
static inline int __cilkrts_is_initialized(void) { return 1; }
/* No reduction is forced. */
static inline int __cilkrts_get_force_reduce(void) { return 0; }

/* NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming,modernize-*) */

#endif
