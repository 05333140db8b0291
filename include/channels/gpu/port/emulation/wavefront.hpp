#pragma once

#include <atomic>   // atomic
#include <barrier>  // barrier
#include <cstddef>  // byte, size_t
#include <cstdint>  // fixed-width integers
#include <vector>   // vector

#include "channels/gpu/port/emulation/emulated_lane.hpp"
#include "channels/gpu/port/emulation/fiber.hpp"

/// Wavefronts of an emulated GPU. A wavefront is a thread of the CPU and its lanes are fibers of
/// that: as threads they would spend their time waking each other at every collective. For
/// ThreadSanitizer a fiber is a thread like any other, so it sees races between lanes, too.

namespace channels::gpu::detail {

/// Wavefronts that share memory.
struct emulated_group {
  explicit emulated_group(unsigned waves = 1, std::size_t bytes = 0)
      : waves_are_there(static_cast<std::ptrdiff_t>(waves)), memory(bytes / 8 + 2) {}

  std::barrier<> waves_are_there;
  std::vector<std::uint64_t> memory;
};

/// The one that the calling thread runs. Atomic, since for ThreadSanitizer a fiber is a thread; and
/// relaxed, since no other thread uses it.
inline thread_local std::atomic<emulated_lane*> running_lane{nullptr};

/// Calls `body()` as work-item `item` of a kernel that has no collectives.
template <class Body>
void as_item(unsigned item, Body body) {
  emulated_lane lane;
  lane.item = item;
  running_lane.store(&lane, std::memory_order_relaxed);
  body();
  running_lane.store(nullptr, std::memory_order_relaxed);
}

/// Lanes that take turns: one has the thread until it waits for the others, or gives way to them.
class emulated_wave {
 public:
  std::uint64_t values[wave_width] = {};  ///< what the lanes tell each other

  /// Calls `body(number)` in each lane.
  template <class Body>
  void run(Body body) {
    body_ = &body;
    call_ = [](void* b, unsigned number) { (*static_cast<Body*>(b))(number); };
    for (unsigned i = 0; i < wave_width; ++i) {
      lanes_[i].known.wave = this;
      lanes_[i].known.lane = i;
      lanes_[i].has_ended = false;
      lanes_[i].runs.begin_with([] { this_lane().wave->run_lane(); }, lanes_[i].stack);
    }
    thread_.begin_as_thread();
    // The lanes see what the thread has done, by release and acquire, and it what they did.
    begun_.fetch_add(1, std::memory_order_release);
    enter(thread_, 0);
    (void)ended_.load(std::memory_order_acquire);
    for (lane& one : lanes_) one.runs.end();
  }

  // A lane calls these:

  /// Waits for all lanes.
  void meet() {
    // Relaxed: none but the last of a round changes it.
    const unsigned round = round_.load(std::memory_order_relaxed);
    // Acquire and release: what each lane did before, all see after.
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == wave_width) {
      arrived_.store(0, std::memory_order_relaxed);
      round_.store(round + 1, std::memory_order_release);
      return;
    }
    do give_way();
    while (round_.load(std::memory_order_acquire) == round);
  }

  /// Lets the next lane go on.
  CHANNELS_UNKNOWN_TO_TSAN void give_way() {
    const unsigned next = after(current_);
    if (next != current_) enter(lanes_[current_].runs, next);
  }
  /// As `give_way`, between two looks at what another wavefront or the host writes. True once in as
  /// many looks as there are lanes: then all may be waiting, and the thread should rest.
  [[nodiscard]] CHANNELS_UNKNOWN_TO_TSAN bool look_away() {
    give_way();
    return ++looks_ % wave_width == 0;
  }
  /// Likewise, now and then, where the lanes of a GPU may get out of step. True if the wavefront
  /// had better let others go on: a run may be shorter than the time that a thread has a core for.
  [[nodiscard]] CHANNELS_UNKNOWN_TO_TSAN bool stumble() {
    random_ = random_ * 6364136223846793005U + 1442695040888963407U;
    if (random_ >> 60U == 0) give_way();
    return random_ >> 56U == 0;
  }

 private:
  struct lane {
    fiber_stack stack;
    fiber runs;
    emulated_lane known;
    bool has_ended = false;
  };

  /// The next lane in turn that has not ended.
  [[nodiscard]] CHANNELS_UNKNOWN_TO_TSAN unsigned after(unsigned number) const {
    unsigned next = number;
    do next = (next + 1) % wave_width;
    while (lanes_[next].has_ended && next != number);
    return next;
  }
  CHANNELS_UNKNOWN_TO_TSAN void enter(fiber& from, unsigned number) {
    current_ = number;
    running_lane.store(&lanes_[number].known, std::memory_order_relaxed);
    from.switch_to(lanes_[number].runs);
  }
  void run_lane() {
    const unsigned number = this_lane().lane;
    lanes_[number].runs.arrive();
    (void)begun_.load(std::memory_order_acquire);
    call_(body_, number);
    ended_.fetch_add(1, std::memory_order_release);
    leave(number);
  }
  CHANNELS_UNKNOWN_TO_TSAN void leave(unsigned number) {
    lanes_[number].has_ended = true;
    const unsigned next = after(number);
    if (next != number) {
      enter(lanes_[number].runs, next);
    } else {
      running_lane.store(nullptr, std::memory_order_relaxed);
      lanes_[number].runs.switch_to(thread_);
    }
  }

  lane lanes_[wave_width];
  fiber thread_;
  void* body_ = nullptr;
  void (*call_)(void*, unsigned) = nullptr;
  std::atomic<unsigned> begun_{0};
  std::atomic<unsigned> ended_{0};
  std::atomic<unsigned> arrived_{0};
  std::atomic<unsigned> round_{0};
  unsigned current_ = 0;
  unsigned looks_ = 0;
  std::uint64_t random_ = reinterpret_cast<std::uintptr_t>(this);
};

}  // namespace channels::gpu::detail
