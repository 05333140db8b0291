#include "runtime/threads/at_fork.hpp"

#include <pthread.h>  // pthread_atfork

#include <algorithm>  // find
#include <atomic>     // atomic
#include <mutex>      // mutex
#include <utility>    // move
#include <vector>     // vector

namespace channels::detail {
namespace {

/// Never destroyed: a destructor of the program may fork.
struct steps_of_process {
  std::mutex mutex;  ///< held from before a fork until after it
  std::vector<fork_steps*> all;
  std::atomic<std::uint32_t> generation{0};
  std::vector<std::shared_ptr<void>> kept;

  steps_of_process();
};

steps_of_process& registered() {
  static steps_of_process& r = *new steps_of_process;
  return r;
}

steps_of_process::steps_of_process() {
  pthread_atfork(
      [] {
        steps_of_process& r = registered();
        r.mutex.lock();
        // NOLINTNEXTLINE(modernize-loop-convert): the newest first
        for (auto one = r.all.rbegin(); one != r.all.rend(); ++one) (*one)->before();
      },
      [] {
        steps_of_process& r = registered();
        for (fork_steps* const one : r.all) one->in_parent();
        r.mutex.unlock();
      },
      [] {
        steps_of_process& r = registered();
        // Relaxed: there is no other thread.
        r.generation.fetch_add(1, std::memory_order_relaxed);
        for (fork_steps* const one : r.all) one->in_child();
        r.mutex.unlock();
      });
}

}  // namespace

at_fork::at_fork(fork_steps steps) : steps_(std::move(steps)) {
  steps_of_process& r = registered();
  const std::lock_guard lock(r.mutex);
  r.all.push_back(&steps_);
}

at_fork::~at_fork() {
  steps_of_process& r = registered();
  const std::lock_guard lock(r.mutex);
  r.all.erase(std::find(r.all.begin(), r.all.end(), &steps_));
}

void keep_for_ever(std::shared_ptr<void> what) { registered().kept.push_back(std::move(what)); }

std::uint32_t fork_generation() {
  // Relaxed: it changes only in a process of one thread.
  return registered().generation.load(std::memory_order_relaxed);
}

}  // namespace channels::detail
