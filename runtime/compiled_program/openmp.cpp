// The locks of `critical` and omp.h in programs of `cilk2chan -fopenmp-tasks`.

#include <thread>  // yield

extern "C" {

// Waits until nobody holds the lock, and takes it.
void channels_omp_enter(int* lock);
// Gives back a lock that the caller holds.
void channels_omp_leave(int* lock);

void channels_omp_enter(int* lock) {
  while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) != 0) {
    while (__atomic_load_n(lock, __ATOMIC_RELAXED) != 0) std::this_thread::yield();
  }
}

void channels_omp_leave(int* lock) { __atomic_store_n(lock, 0, __ATOMIC_RELEASE); }
}
