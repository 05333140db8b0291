// What programs of `cilk2chan -fopenmp-tasks` need: locks of `critical` and omp.h, and teams.

#include <algorithm>  // max
#include <thread>     // yield

#include "channels/cilk/device_call.hpp"
#include "channels/openmp/parts.hpp"

extern "C" {

// Waits until nobody holds the lock, and takes it.
void channels_omp_enter(int* lock);
// Gives back a lock that the caller holds.
void channels_omp_leave(int* lock);
// Called by who has found a lock taken, before it tries again.
void channels_omp_wait(void);
// Called by who has taken the lock of a `critical`, and before it gives it back. With --races other
// functions stand in their place (runtime/races/locks.cpp).
void channels_omp_entered(void);
void channels_omp_leaves(void);
// The number of workers, and whether the program has set it; in cilk_api.cpp.
// NOLINTNEXTLINE(*-reserved-identifier,*-naming)
int __cilkrts_get_nworkers(void);
int channels_sets_workers(void);
// The number of threads of a team for which the program names no number.
int channels_omp_threads(void);
// In how many parts the iterations of a loop with a `reduction` are (channels/openmp/parts.hpp).
long channels_omp_parts(long iterations, long length);

void channels_omp_enter(int* lock) {
  while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) != 0) {
    while (__atomic_load_n(lock, __ATOMIC_RELAXED) != 0) std::this_thread::yield();
  }
}

void channels_omp_leave(int* lock) { __atomic_store_n(lock, 0, __ATOMIC_RELEASE); }

void channels_omp_wait(void) { std::this_thread::yield(); }

void channels_omp_entered(void) {}

void channels_omp_leaves(void) {}

int channels_omp_threads(void) {
  // A lane is much slower than a core. Of more threads, those in a `critical` would wait longer
  // than the others gain.
  constexpr int lanes = 512;
  const int workers = __cilkrts_get_nworkers();
  const bool on_lanes = !channels::cilk::device_of_calls().empty() && channels_sets_workers() == 0;
  return on_lanes ? std::max(workers, lanes) : workers;
}

long channels_omp_parts(long iterations, long length) {
  return channels::openmp::parts_of(iterations, length, channels::openmp::most_parts_on_host);
}
}
