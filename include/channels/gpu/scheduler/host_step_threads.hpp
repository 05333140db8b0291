#pragma once

#include <algorithm>           // clamp, max
#include <atomic>              // atomic
#include <chrono>              // microseconds, steady_clock
#include <condition_variable>  // condition_variable
#include <memory>              // unique_ptr
#include <mutex>               // mutex, unique_lock
#include <system_error>        // system_error
#include <thread>              // hardware_concurrency, sleep_for, thread, yield
#include <vector>              // vector

#include "channels/detail/atomic.hpp"
#include "channels/gpu/port/memory.hpp"
#include "channels/gpu/scheduler/host_steps.hpp"
#include "channels/gpu/scheduler/set_code.hpp"

namespace channels::gpu::detail {

/// The memory for steps that the host takes for one GPU, and the threads that take them. They look
/// for steps while a run goes on. If no thread can be started, the one that waits for the run takes
/// all steps.
class host_step_threads {
 public:
  /// For the current GPU. `code` has steps for the host.
  explicit host_step_threads(const set_code& code)
      : code_(code),
        state_(allocate<host_step_state>(sizeof(host_step_state), "memory")),
        rings_(allocate_on_host<host_step_rings>(sizeof(host_step_rings), "pinned memory")),
        slots_(
            allocate_on_host<std::byte>(code.host_step_bytes * most_host_steps, "pinned memory")) {
    if (code.host_frames) {
      frames_ = allocate_on_host<std::byte>(
          std::size_t{code.frame_units} * unit_bytes * most_host_frames, "pinned memory");
    }
    const unsigned cores = std::max(2U, std::thread::hardware_concurrency());
    wanted_ = cores - 1;
    clear();
  }
  host_step_threads(const host_step_threads&) = delete;
  host_step_threads& operator=(const host_step_threads&) = delete;
  ~host_step_threads() {
    {
      const std::unique_lock<std::mutex> own(mutex_);
      leaves_ = true;
      // Relaxed: the mutex orders it for those that sleep, and others look again.
      active_.store(false, std::memory_order_relaxed);
    }
    wake_.notify_all();
    for (std::thread& one : threads_) one.join();
  }

  /// For the next run.
  [[nodiscard]] host_step_words words() const {
    return {state_.get(),
            rings_.get(),
            slots_.get(),
            frames_.get(),
            wanted_,
            std::clamp(wanted_ * host_step_tuning::steps_of_core, 1U, most_host_steps),
            host_step_tuning::least_ns,
            took_ >= std::chrono::microseconds(host_step_tuning::short_run_us)};
  }

  /// Before a run.
  void begin() {
    began_ = std::chrono::steady_clock::now();
    if (failed_) clear();
    failed_ = false;
    start_threads();
    {
      const std::unique_lock<std::mutex> own(mutex_);
      active_.store(true, std::memory_order_relaxed);  // the mutex orders it
      all_are_awake_.store(false, std::memory_order_relaxed);
    }
    // Most runs have no steps, or few: the first thread that finds one wakes the others.
    wake_.notify_one();
  }
  /// The thread that waits for the run calls it: takes steps if nobody else does.
  void help() {
    if (threads_.empty()) (void)take_one();
  }
  /// After a run. `failed`: steps may be left. False if a thread has not returned from one in time.
  bool end(bool failed) {
    {
      // A thread that has just woken up counts itself before this, or does not begin.
      const std::unique_lock<std::mutex> own(mutex_);
      active_.store(false, std::memory_order_relaxed);  // the mutex orders it
    }
    took_ = std::chrono::steady_clock::now() - began_;
    failed_ = failed_ || failed;
    if (!failed) return true;  // no step is under way when the root has ended
    const auto start = std::chrono::steady_clock::now();
    // Acquire: what the steps did.
    while (serving_.load(std::memory_order_acquire) != 0) {
      if (std::chrono::steady_clock::now() - start >
          std::chrono::milliseconds(wait_tuning::scheduler_grace_ms))
        return false;
      std::this_thread::sleep_for(std::chrono::microseconds(host_step_tuning::pause_us));
    }
    return true;
  }
  /// Steps that have begun, in all runs.
  [[nodiscard]] std::uint64_t begun() const {
    return next_.load(std::memory_order_relaxed);  // a number for progress and statistics
  }

 private:
  /// All slots and frames are free, and nothing is known.
  void clear() {
    const auto initial = std::make_unique<host_step_state>();
    for (auto& word : initial->free_slots) word = ~0U;
    for (auto& word : initial->free_frames) word = ~0U;
    check(CHANNELS_GPU(Memcpy)(state_.get(), initial.get(), sizeof(host_step_state),
                               CHANNELS_GPU(MemcpyHostToDevice)),
          "memory");
    finish_copies();
    *rings_ = {};
    next_ = 0;
    told_ = 0;
  }

  void start_threads() {
    if (started_) return;
    started_ = true;
    try {
      while (threads_.size() < wanted_) threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      // With those that there are.
    }
  }

  void work() {
    for (;;) {
      {
        std::unique_lock<std::mutex> own(mutex_);
        wake_.wait(own, [this] { return leaves_ || active_.load(std::memory_order_relaxed); });
        if (leaves_) return;
        serving_.fetch_add(1, std::memory_order_relaxed);  // the mutex orders it
      }
      serve();
      serving_.fetch_sub(1, std::memory_order_release);  // `end` sees what the steps did
    }
  }

  void serve() {
    using clock = std::chrono::steady_clock;
    auto last = clock::now();
    while (active_.load(std::memory_order_relaxed)) {
      if (take_one()) {
        last = clock::now();
      } else if (clock::now() - last < std::chrono::microseconds(host_step_tuning::patience_us)) {
        std::this_thread::yield();
      } else {
        std::this_thread::sleep_for(std::chrono::microseconds(host_step_tuning::pause_us));
      }
    }
  }

  /// Takes the next step, if there is one. False if there is none.
  bool take_one() {
    // Relaxed: the entry says whether the ticket is there.
    std::uint32_t ticket = next_.load(std::memory_order_relaxed);
    // Acquire: the slot, and all that the task reads.
    const std::uint32_t entry =
        channels::detail::atomic_load<order::acquire>(&rings_->asked[ticket % most_host_steps]);
    if ((entry & ~0xffffU) != lap_of(ticket)) return false;
    if (!next_.compare_exchange_strong(ticket, ticket + 1, std::memory_order_relaxed)) return true;
    // Relaxed: it carries nothing but itself.
    if (!all_are_awake_.exchange(true, std::memory_order_relaxed)) wake_.notify_all();
    const std::uint32_t slot = entry & 0xffffU;
    code_.host_step(slots_.get() + code_.host_step_bytes * slot);
    // Relaxed: only who has the ticket writes the entry.
    const std::uint32_t told = told_.fetch_add(1, std::memory_order_relaxed);
    // Release: the slot, and all that the task has written.
    channels::detail::atomic_store<order::release>(&rings_->told[told % most_host_steps],
                                                   lap_of(told) | slot);
    return true;
  }

  const set_code& code_;
  std::unique_ptr<host_step_state, free_memory> state_;
  std::unique_ptr<host_step_rings, free_host_memory> rings_;
  std::unique_ptr<std::byte, free_host_memory> slots_;
  std::unique_ptr<std::byte, free_host_memory> frames_;
  unsigned wanted_ = 0;  // threads
  bool started_ = false;
  bool failed_ = false;  // the last run has
  std::chrono::steady_clock::time_point began_;
  std::chrono::steady_clock::duration took_{};  // of the last run
  std::atomic<std::uint32_t> next_{0};          // ticket of the next step to take
  std::atomic<std::uint32_t> told_{0};          // ticket of the next to tell
  std::atomic<std::uint32_t> serving_{0};       // threads that look for steps
  std::atomic<bool> active_{false};
  std::atomic<bool> all_are_awake_{false};
  bool leaves_ = false;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<std::thread> threads_;
};

}  // namespace channels::gpu::detail
