// Accesses under a lock race with accesses without one, and not with each other: their order may
// differ from run to run, and that is what the lock is for. cilk2chan links these functions in the
// place of the C library's (ld's --wrap); std::mutex and its family call them.

#include <pthread.h>

#include "channels/openmp/parts.hpp"
#include "runtime/races/detector.hpp"

using namespace channels::races;

namespace {

int locked(int status) {
  if (status == 0 && on) {
    ++the_detector.as_atomic;
    the_detector.exact = true;
  }
  return status;
}
void unlocked() {
  if (on && the_detector.as_atomic != 0) --the_detector.as_atomic;
}

}  // namespace

#define CHANNELS_RACES_LOCK(name, type) \
  int __real_##name(type*);             \
  int __wrap_##name(type* lock) { return locked(__real_##name(lock)); }
#define CHANNELS_RACES_UNLOCK(name, type) \
  int __real_##name(type*);               \
  int __wrap_##name(type* lock) {         \
    unlocked();                           \
    return __real_##name(lock);           \
  }

extern "C" {

// What programs of OpenMP call (runtime/compiled_program/openmp.cpp). One strand runs at a time, so
// nobody waits for a lock.
void channels_omp_enter(int*) { (void)locked(0); }
void channels_omp_leave(int*) { unlocked(); }
void channels_omp_entered(void) { (void)locked(0); }
void channels_omp_leaves(void) { unlocked(); }
void channels_omp_wait(void) {}
int channels_omp_threads(void) { return 2; }
long channels_omp_parts(long iterations, long length) {
  return channels::openmp::parts_of(iterations, length, channels::openmp::most_parts_on_host);
}

CHANNELS_RACES_LOCK(pthread_mutex_lock, pthread_mutex_t)
CHANNELS_RACES_LOCK(pthread_mutex_trylock, pthread_mutex_t)
CHANNELS_RACES_UNLOCK(pthread_mutex_unlock, pthread_mutex_t)
CHANNELS_RACES_LOCK(pthread_rwlock_rdlock, pthread_rwlock_t)
CHANNELS_RACES_LOCK(pthread_rwlock_tryrdlock, pthread_rwlock_t)
CHANNELS_RACES_LOCK(pthread_rwlock_wrlock, pthread_rwlock_t)
CHANNELS_RACES_LOCK(pthread_rwlock_trywrlock, pthread_rwlock_t)
CHANNELS_RACES_UNLOCK(pthread_rwlock_unlock, pthread_rwlock_t)
CHANNELS_RACES_LOCK(pthread_spin_lock, pthread_spinlock_t volatile)
CHANNELS_RACES_LOCK(pthread_spin_trylock, pthread_spinlock_t volatile)
CHANNELS_RACES_UNLOCK(pthread_spin_unlock, pthread_spinlock_t volatile)
}
