#pragma once

#include <cstdint>     // uint64_t
#include <functional>  // function
#include <memory>      // unique_ptr
#include <optional>    // optional
#include <semaphore>   // binary_semaphore
#include <thread>      // jthread
#include <vector>      // vector

#include "tests/channel/seed.hpp"

namespace channels::testing {

/// Runs threads one at a time, and decides by a seed which one goes on at each step: the same seed
/// gives the same schedule. Threads are put to sleep for many steps now and then, since what breaks
/// protocols is seldom an even interleaving. One thread may be made to stop for good at a step of
/// its own.
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
    std::vector<std::jthread> threads;
    threads.reserve(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      threads.emplace_back([this, i, body = std::move(bodies[i])] {
        here() = {this, i};
        threads_[i].turn->acquire();
        try {
          body();
        } catch (const livelock&) {
          livelocked_ = true;  // and all others will be thrown out as well
        }
        here() = {};
        threads_[i].ended = true;
        hand_over();
      });
    }
    hand_over();
  }

  /// The calling thread may be interrupted here. Does nothing in a thread that is not scheduled.
  static void step() {
    if (auto [self, thread] = here(); self != nullptr) self->step_of(thread);
  }

  /// Whether nothing is to be expected of a thread: it has ended, or it has stopped.
  [[nodiscard]] bool at_rest(std::size_t thread) const {
    return threads_[thread].stopped || threads_[thread].ended;
  }
  /// Whether it was given up, after very many steps.
  [[nodiscard]] bool livelocked() const { return livelocked_; }
  /// Whether a thread has ever stopped.
  [[nodiscard]] bool stop_reached() const { return stop_reached_; }

 private:
  struct thread_state {
    std::unique_ptr<std::binary_semaphore> turn = std::make_unique<std::binary_semaphore>(0);
    std::uint64_t steps = 0;
    std::uint64_t asleep_until = 0;
    bool stopped = false;
    bool ended = false;
  };
  struct livelock {};
  struct place {
    schedule* self = nullptr;
    std::size_t thread = 0;
  };
  static place& here() {
    thread_local place p;
    return p;
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
    hand_over(thread);
  }

  /// Gives the turn to some thread and, if the caller is one, waits for the next turn.
  void hand_over(std::optional<std::size_t> from = {}) {
    const std::optional<std::size_t> next = choose();
    if (!next || next == from) return;
    std::binary_semaphore* const mine = from ? threads_[*from].turn.get() : nullptr;
    threads_[*next].turn->release();
    if (mine) mine->acquire();
  }

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
  std::optional<stop> stop_at_;
  std::uint32_t switch_once_in_;
  std::vector<thread_state> threads_;
  std::uint64_t steps_ = 0;
  std::function<void()> before_it_goes_on_;
  bool livelocked_ = false;
  bool stop_reached_ = false;
};

}  // namespace channels::testing
