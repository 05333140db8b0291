#pragma once

#include <atomic>   // atomic
#include <cstddef>  // size_t
#include <cstdint>  // fixed-width integers
#include <cstdio>   // fprintf
#include <cstdlib>  // _Exit

#include "channels/gpu/port/emulation/wavefront.hpp"

/// Several emulated GPUs in one process, and whose memory is whose. The CPU reaches all memory with
/// all atomics, so a word that a protocol shares between GPUs by atomics of one device's scope
/// would work here and fail on GPUs: each such operation is checked.
namespace channels::gpu::detail {

/// GPUs that there are, all alike.
inline constexpr unsigned emulated_gpus = 16;

/// Memory that is made to be shared between GPUs (`allocate_for_peers`).
inline constexpr unsigned of_all_gpus = emulated_gpus;

/// The memory of each emulated GPU, as far as it was allocated since a second one is in use.
class emulated_memory {
 public:
  static emulated_memory& of_process() {
    static emulated_memory one;
    return one;
  }

  /// From now on allocations are noted.
  void begin() { noted_.store(true, std::memory_order_relaxed); }

  void note(const void* memory, std::size_t bytes, unsigned owner) {
    if (!noted_.load(std::memory_order_relaxed)) return;
    for (range& one : ranges_) {
      // Acquire and release: one thread makes the entry, and lanes that read it began later.
      std::uintptr_t none = 0;
      if (!one.begin.compare_exchange_strong(none, taken, std::memory_order_acq_rel)) continue;
      one.end.store(reinterpret_cast<std::uintptr_t>(memory) + bytes, std::memory_order_relaxed);
      one.owner.store(owner, std::memory_order_relaxed);
      one.begin.store(reinterpret_cast<std::uintptr_t>(memory), std::memory_order_release);
      const auto number = static_cast<unsigned>(&one - ranges_);
      unsigned most = used_.load(std::memory_order_relaxed);
      while (most <= number && !used_.compare_exchange_weak(most, number + 1)) {
      }
      return;
    }
  }
  void forget(const void* memory) {
    for (unsigned i = 0; i < used_.load(std::memory_order_relaxed); ++i) {
      auto begin = reinterpret_cast<std::uintptr_t>(memory);
      if (ranges_[i].begin.compare_exchange_strong(begin, 0, std::memory_order_acq_rel)) return;
    }
  }
  /// Ends the program if the running lane's GPU may not use atomics of its own scope on `word`.
  void check(const void* word) const {
    const unsigned used = used_.load(std::memory_order_relaxed);
    const emulated_lane* const lane = running_lane.load(std::memory_order_relaxed);
    if (used == 0 || lane == nullptr) return;
    const auto at = reinterpret_cast<std::uintptr_t>(word);
    for (unsigned i = 0; i < used; ++i) {
      const range& one = ranges_[i];
      if (at < one.begin.load(std::memory_order_acquire) ||
          at >= one.end.load(std::memory_order_relaxed))
        continue;
      const unsigned owner = one.owner.load(std::memory_order_relaxed);
      if (owner == lane->gpu) return;
      std::fprintf(stderr,
                   "channels: emulated GPU %u uses an atomic of its own scope on memory %s\n",
                   lane->gpu, owner == of_all_gpus ? "that GPUs share" : "of another GPU");
      std::fflush(nullptr);
      std::_Exit(1);
    }
  }

 private:
  static constexpr std::uintptr_t taken = ~std::uintptr_t{0};  // no address is above it
  struct range {
    std::atomic<std::uintptr_t> begin{0};
    std::atomic<std::uintptr_t> end{0};
    std::atomic<unsigned> owner{0};
  };

  std::atomic<bool> noted_{false};
  std::atomic<unsigned> used_{0};
  range ranges_[2048];
};

}  // namespace channels::gpu::detail
