/* What OpenMP programs ask of their runtime, for `cilk2chan -fopenmp-tasks`: threads are the
 * runtime's workers. In a serial elision the answers are those of one thread. */
#ifndef CHANNELS_OPENMP_OMP_H
#define CHANNELS_OPENMP_OMP_H

#include <time.h>
#include <unistd.h>

#include <cilk/cilk_api.h>

/* The names are OpenMP's, and this is C, too.
 * NOLINTBEGIN(readability-identifier-naming,modernize-*) */

#if defined(__cplusplus)
extern "C" {
#endif

/* Seconds since some time in the past. */
static inline double omp_get_wtime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
static inline double omp_get_wtick(void) { return 1e-9; }

static inline int omp_get_num_procs(void) { return (int)sysconf(_SC_NPROCESSORS_ONLN); }
#if defined(_OPENMP)
int channels_omp_threads(void);
#else
static inline int channels_omp_threads(void) { return 1; }
#endif
static inline int omp_get_num_threads(void) { return channels_omp_threads(); }
static inline int omp_get_max_threads(void) { return channels_omp_threads(); }
static inline int omp_get_thread_limit(void) { return channels_omp_threads(); }
static inline int omp_get_thread_num(void) { return __cilkrts_get_worker_number(); }
static inline int omp_in_parallel(void) { return __cilkrts_running_on_workers(); }

/* Taken before the first task of the program; later it has no effect, as OpenMP allows. */
static inline void omp_set_num_threads(int threads) {
  char text[16];
  int at = 15;
  text[15] = 0;
  for (; threads > 0 && at > 0; threads /= 10) text[--at] = (char)('0' + threads % 10);
  if (at < 15) (void)__cilkrts_set_param("nworkers", text + at);
}

static inline void omp_set_dynamic(int on) { (void)on; }
static inline int omp_get_dynamic(void) { return 1; }
static inline void omp_set_nested(int on) { (void)on; }
static inline int omp_get_nested(void) { return 0; }

/* Whether the task that asks is final. Calls in functions become what the task's clauses say; what
 * is left is in no task. A serial elision runs nothing but final tasks. */
#if defined(_OPENMP)
static inline int omp_in_final(void) { return 0; }
#else
static inline int omp_in_final(void) { return 1; }
#endif

/* Locks. A task that holds one must not wait for tasks. */
typedef struct {
  int held;
} omp_lock_t;

static inline void omp_init_lock(omp_lock_t* lock) { lock->held = 0; }
static inline void omp_destroy_lock(omp_lock_t* lock) { (void)lock; }
static inline int omp_test_lock(omp_lock_t* lock) {
  return !__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE);
}
#if defined(_OPENMP)
void channels_omp_enter(int* lock);
void channels_omp_leave(int* lock);
static inline void omp_set_lock(omp_lock_t* lock) { channels_omp_enter(&lock->held); }
static inline void omp_unset_lock(omp_lock_t* lock) { channels_omp_leave(&lock->held); }
#else
static inline void omp_set_lock(omp_lock_t* lock) { lock->held = 1; }
static inline void omp_unset_lock(omp_lock_t* lock) { lock->held = 0; }
#endif

#if defined(__cplusplus)
}
#endif

/* NOLINTEND(readability-identifier-naming,modernize-*) */

#endif /* CHANNELS_OPENMP_OMP_H */
