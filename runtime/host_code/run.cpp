#include "runtime/host_code/run.hpp"

#include <thread>   // yield, sleep_for
#include <utility>  // exchange

#include "runtime/host_code/strand_clock.hpp"
#include "runtime/host_code/views.hpp"
#include "runtime/threads/at_fork.hpp"
#include "runtime/threads/forked.hpp"

namespace channels::host_code {
void run_child(worker_pool& p, worker& me, child& c) {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  std::uintptr_t root = 0;
  std::uint16_t computation = no_computation;
  {
    const std::lock_guard lock(me.mutex);
    root = std::exchange(me.root, here + c.depth);
    computation = std::exchange(me.computation, c.computation);
    ++me.nested;
    p.update_limits(me);
  }
  channels_cilk_views* const views = std::exchange(channels_cilk_strand, no_views());
  try {
    const strand_clock::strand of_child(this_clock);
    c.run(c.closure());
  } catch (...) {
    c.thrown = std::current_exception();
  }
  c.after = std::exchange(channels_cilk_strand, views);
  p.park_if_ended(me);
  const std::lock_guard lock(me.mutex);
  me.root = root;
  me.computation = computation;
  --me.nested;
  p.update_limits(me);
}

void run_taken(worker_pool& p, worker& me, child& c) {
  ++me.counted.taken;
  const std::uint64_t start_ticks = me.trace != nullptr ? detail::ticks() : 0;
  const auto start = clock::now();
  const std::uint32_t generation = detail::fork_generation();
  run_child(p, me, c);
  detail::end_if_forked_since(generation, "a child that was given to another thread");
  const auto now = clock::now();
  const auto took = now - start;
  if (me.trace != nullptr) me.trace->took(start_ticks, c.giver->index, c.depth);
  p.learn_from(c, took, now);
  me.last_taken = took;
  c.ended.store(true, std::memory_order_release);  // release: see child
}

void search::wait(bool asking) {
  using namespace std::chrono_literals;
  if (!searching_) {
    searching_ = true;
    if (me_.trace != nullptr) since_ticks_ = detail::ticks();
    since_ = asked_ = clock::now();
  }
  if (asking && !hungry_) {
    hungry_ = true;
    pool_.hungry.fetch_add(1, std::memory_order_relaxed);
    // Relaxed: whoever does not see it calls one taker more.
    if (of_taker_) pool_.takers_looking.fetch_add(1, std::memory_order_relaxed);
  }
  const auto elapsed = now_ - since_;
  if (now_ > since_ && elapsed > 1ms) {
    std::this_thread::sleep_for(50us);
  } else if (now_ > since_ && elapsed > 100us) {
    std::this_thread::yield();
  } else {
    for (int i = 0; i < 16 && !pool_.anything_waits(); ++i) pause();
  }
  now_ = clock::now();
  if (asking && (asked_ == since_ || now_ - asked_ > 2us)) {
    asked_ = now_;
    pool_.ask_others(me_, since_, now_);
  }
}

void search::end() {
  if (hungry_) {
    pool_.hungry.fetch_sub(1, std::memory_order_relaxed);
    // Sequentially consistent: see worker_pool::call_taker.
    if (of_taker_) pool_.takers_looking.fetch_sub(1, std::memory_order_seq_cst);
  }
  if (searching_ && now_ > since_) {
    me_.counted.wait_ns +=
        static_cast<std::uint64_t>(std::chrono::nanoseconds(now_ - since_).count());
    if (me_.trace != nullptr) me_.trace->searched(since_ticks_);
  }
  searching_ = hungry_ = false;
}

}  // namespace channels::host_code
