#include "runtime/host_code/worker.hpp"

#include <pthread.h>  // pthread_getattr_np

#include <thread>  // yield

#if defined(__x86_64__)
#include <immintrin.h>  // _mm_pause
#endif

namespace channels::host_code {

void pause() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

worker_counts& worker_counts::operator+=(const worker_counts& o) {
  given += o.given;
  declined += o.declined;
  taken_back += o.taken_back;
  taken += o.taken;
  loop_splits += o.loop_splits;
  waits += o.waits;
  wait_ns += o.wait_ns;
  return *this;
}

void brief_mutex::wait() noexcept {
  // The owner may have lost the processor.
  constexpr int patience = 100;
  for (int turns = 0; !try_lock(); ++turns) {
    // Relaxed: it only decides whether to try.
    for (; turns < patience && held_.load(std::memory_order_relaxed); ++turns) pause();
    if (turns >= patience) std::this_thread::yield();
  }
}

void worker::learn_stack() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* low = nullptr;
  std::size_t bytes = 0;
  if (pthread_attr_getstack(&attributes, &low, &bytes) == 0) {
    stack_low = reinterpret_cast<std::uintptr_t>(low) + bytes / 4;
    stack_high = reinterpret_cast<std::uintptr_t>(low) + bytes;
  }
  pthread_attr_destroy(&attributes);
}

std::uint64_t worker::random() {
  // xorshift64*
  random_state ^= random_state >> 12U;
  random_state ^= random_state << 25U;
  random_state ^= random_state >> 27U;
  return random_state * 0x2545F4914F6CDD1DULL;
}

void worker::push(child& c) {
  c.waiting = true;
  c.deque_older = newest;
  c.deque_newer = nullptr;
  (newest != nullptr ? newest->deque_newer : oldest) = &c;
  newest = &c;
  // Sequentially consistent, as in worker_pool::work: either a taker that is about to leave sees
  // this child, or the giver sees that the taker has left.
  size.store(size.load(std::memory_order_relaxed) + 1, std::memory_order_seq_cst);
}

void worker::remove(child& c) {
  c.waiting = false;
  (c.deque_older != nullptr ? c.deque_older->deque_newer : oldest) = c.deque_newer;
  (c.deque_newer != nullptr ? c.deque_newer->deque_older : newest) = c.deque_older;
  // Relaxed: readers look again under the mutex.
  size.store(size.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
}

}  // namespace channels::host_code
