#pragma once

// What the oneTBB versions share. Each includes the Cilk program itself, as its elision, for its
// kernels, input and report; only the functions that spawn are written anew, in namespace with_tbb,
// line for line as in the Cilk. Where the types of arguments would find the elision's function as
// well, names begin with parallel_.

#include <oneapi/tbb/parallel_for.h>     // parallel_for
#include <oneapi/tbb/parallel_invoke.h>  // parallel_invoke
#include <oneapi/tbb/task_arena.h>       // task_arena
#include <oneapi/tbb/task_group.h>       // task_group

#include <cstdlib>  // getenv, atoi

#include "examples/corpus/timing.h"  // timing_begin, timing_end

namespace with_tbb {

using oneapi::tbb::parallel_invoke;
using oneapi::tbb::task_group;

/// Runs `work` with CORPUS_THREADS threads, which are there before the time starts, and prints that
/// with -t.
template <class Work>
void timed(const Work& work) {
  const char* const wanted = std::getenv("CORPUS_THREADS");
  const int threads = wanted == nullptr ? 1 : std::atoi(wanted);
  oneapi::tbb::task_arena arena(threads);
  arena.execute([&] {
    oneapi::tbb::parallel_for(0, 64 * threads, [](int i) {
      for (volatile int k = 0; k < 1000 + i;) k = k + 1;
    });
    timing_begin();
    work();
    timing_end();
  });
}

}  // namespace with_tbb
