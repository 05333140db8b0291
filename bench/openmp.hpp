#pragma once

namespace bench {

/// Runs `work` on one of a team of so many threads, whose others take the tasks that it makes.
template <class Work>
void with_team(int threads, const Work& work) {
#pragma omp parallel num_threads(threads)
#pragma omp single
  work();
}

}  // namespace bench
