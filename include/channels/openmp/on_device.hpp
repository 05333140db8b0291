#pragma once

#if defined(CHANNELS_GPU_EMULATED)
#include <thread>  // yield
#endif

#include "channels/config.hpp"
#include "channels/openmp/parts.hpp"

/// What tasks of OpenMP programs call on a device. A unit that has such calls includes this file.

/// A lane that has found a lock taken tries again: who has it goes on in the meantime. The
/// program's text declares the function once more.
extern "C" {
static CHANNELS_DEVICE inline void channels_cilk_channels_omp_wait() {
#if defined(CHANNELS_GPU_EMULATED)
  std::this_thread::yield();
#endif
}
static CHANNELS_DEVICE inline void channels_cilk_channels_omp_entered() {}
static CHANNELS_DEVICE inline void channels_cilk_channels_omp_leaves() {}

/// As on the host, but as many as a GPU has lanes that can wait for memory.
static CHANNELS_DEVICE inline long channels_cilk_channels_omp_parts(long iterations, long length) {
  return channels::openmp::parts_of(iterations, length, length == 0 ? 65536 : 16384);
}
}
