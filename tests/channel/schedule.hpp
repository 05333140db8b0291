#pragma once

#include <atomic>      // atomic
#include <cstdint>     // uint64_t
#include <functional>  // function
#include <memory>      // unique_ptr
#include <optional>    // optional
#include <utility>     // move
#include <vector>      // vector

#include "channels/gpu/port/emulation/fiber.hpp"

#include "tests/channel/seed.hpp"

namespace channels::testing {

/// Runs threads one at a time, and decides by a seed which one goes on at each step: the same seed
/// gives the same schedule. Threads are put to sleep for many steps now and then, since what breaks
/// protocols is seldom an even interleaving. One thread may be made to stop for good at a step of
/// its own. They are fibers of the thread that calls `run`: threads would spend their time waking
/// each other.
class schedule {
 public:
  struct stop {
    std::size_t thread;
    std::uint64_t step;  ///< of that thread, counted from 0
  };

  explicit schedule(std::uint64_t seed, std::optional<stop> stop_at = {})
      : dice_(seed), stop_at_(stop_at), switch_once_in_(dice_.power_of_two(0, 6)) {}

  /// Runs the threads to their ends. A stopped one goes on after all others have ended, and after
  /// `before_it_goes_on`.
  void run(
      std::vector<std::function<void()>> bodies, std::function<void()> before_it_goes_on = [] {}) {
    before_it_goes_on_ = std::move(before_it_goes_on);
    threads_ = std::vector<thread_state>(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      threads_[i].body = std::move(bodies[i]);
      threads_[i].runs->begin_with([] { here()->run_thread(); }, *threads_[i].stack);
    }
    // Release: see `here`.
    schedule* const before = running().exchange(this, std::memory_order_acq_rel);
    caller_.begin_as_thread();
    hand_over(caller_);
    running().store(before, std::memory_order_release);
    for (thread_state& t : threads_) t.runs->end();
  }

  /// The calling thread may be interrupted here. Does nothing in a thread that is not scheduled.
  static void step() {
    if (schedule* const self = here(); self != nullptr) self->step_of(self->current_);
  }

  /// The number of the thread that runs, for it to ask.
  [[nodiscard]] static std::size_t me() { return here()->current_; }

  /// Whether nothing is to be expected of a thread: it has ended, or it has stopped.
  [[nodiscard]] bool at_rest(std::size_t thread) const {
    return threads_[thread].stopped || threads_[thread].ended;
  }
  /// Whether it was given up, after very many steps.
  [[nodiscard]] bool livelocked() const { return livelocked_; }
  /// Whether a thread has ever stopped.
  [[nodiscard]] bool stop_reached() const { return stop_reached_; }

 private:
  using fiber = gpu::detail::fiber;

  struct thread_state {
    std::unique_ptr<gpu::detail::fiber_stack> stack = std::make_unique<gpu::detail::fiber_stack>();
    std::unique_ptr<fiber> runs = std::make_unique<fiber>();
    std::function<void()> body;
    std::uint64_t steps = 0;
    std::uint64_t asleep_until = 0;
    bool stopped = false;
    bool ended = false;
  };
  struct livelock {};
  /// The one whose threads this thread of the system runs.
  static std::atomic<schedule*>& running() {
    thread_local std::atomic<schedule*> one = nullptr;
    return one;
  }
  /// Acquire: how it was made ready.
  static schedule* here() { return running().load(std::memory_order_acquire); }

  /// A thread from its first step to its last.
  void run_thread() {
    see_what_others_did();
    threads_[current_].runs->arrive();
    try {
      threads_[current_].body();
    } catch (const livelock&) {
      livelocked_ = true;  // and all others will be thrown out as well
    }
    threads_[current_].ended = true;
    hand_over(*threads_[current_].runs);
  }

  void step_of(std::size_t thread) {
    thread_state& t = threads_[thread];
    if (++steps_ > too_many) throw livelock{};
    if (stop_at_ && stop_at_->thread == thread && stop_at_->step == t.steps) {
      t.stopped = stop_reached_ = true;
    }
    ++t.steps;
    if (!t.stopped && !dice_.once_in(switch_once_in_)) return;
    if (dice_.once_in(16)) t.asleep_until = steps_ + dice_.power_of_two(2, 9);
    hand_over(*t.runs);
  }

  /// Gives the turn to some thread, or back to the caller of `run`, and waits for the next turn.
  void hand_over(fiber& from) {
    const std::optional<std::size_t> next = choose();
    fiber& to = next ? *threads_[*next].runs : caller_;
    if (&to == &from) return;
    current_ = next.value_or(0);
    // Release: what this thread did. For ThreadSanitizer it is a thread like any other.
    turns_.fetch_add(1, std::memory_order_release);
    from.switch_to(to);
    see_what_others_did();
  }
  /// Acquire: what they did before they gave the turn away.
  void see_what_others_did() { (void)turns_.load(std::memory_order_acquire); }

  std::optional<std::size_t> choose() {
    std::vector<std::size_t> awake;
    std::vector<std::size_t> asleep;
    std::optional<std::size_t> stopped;
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      const thread_state& t = threads_[i];
      if (t.ended) continue;
      if (t.stopped) {
        stopped = i;
      } else {
        (t.asleep_until > steps_ ? asleep : awake).push_back(i);
      }
    }
    if (awake.empty()) awake = asleep;
    if (!awake.empty()) return awake[dice_.from(std::size_t{0}, awake.size() - 1)];
    if (stopped) {
      before_it_goes_on_();
      threads_[*stopped].stopped = false;
    }
    return stopped;
  }

  static constexpr std::uint64_t too_many = 1'000'000;

  dice dice_;
  fiber caller_;
  std::size_t current_ = 0;
  std::atomic<std::uint64_t> turns_{0};
  std::optional<stop> stop_at_;
  std::uint32_t switch_once_in_;
  std::vector<thread_state> threads_;
  std::uint64_t steps_ = 0;
  std::function<void()> before_it_goes_on_;
  bool livelocked_ = false;
  bool stop_reached_ = false;
};

}  // namespace channels::testing
