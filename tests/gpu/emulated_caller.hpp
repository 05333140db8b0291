#pragma once

// A caller of the GPU's scheduler on the emulated device with any number of wavefronts, which tests
// look into.

#include <algorithm>  // fill, max
#include <barrier>    // barrier
#include <bit>        // popcount
#include <chrono>     // seconds, steady_clock
#include <cstddef>    // byte, size_t, ptrdiff_t
#include <cstdint>    // fixed-width integers
#include <cstring>    // memcpy
#include <thread>     // thread, yield
#include <vector>     // vector

#include "channels/gpu/scheduler/gpu_part.hpp"
#include "channels/gpu/scheduler/kernel.hpp"

namespace emulated_caller {

namespace detail = channels::gpu::detail;
using channels::gpu::stacks;

/// Runs tasks as gpu::caller does, but says how many wavefronts there are.
template <channels::task Root, stacks Simplest = stacks::summing>
class caller {
  using set = detail::task_set<detail::tasks_of<Root>, Simplest>;

 public:
  caller(unsigned waves, double force_yield, unsigned seed, std::size_t memory = 8U << 20U)
      : mailboxes_(waves),
        hungry_((waves + 31) / 32),
        inboxes_(std::size_t{waves} * detail::wave_width * detail::ready_task<set>::words),
        shared_(detail::shared_words(few_shared, detail::ready_task<set>::words)),
        windows_(std::size_t{waves} * detail::group_memory_words<set>(detail::wave_width)),
        waves_(waves),
        pool_(memory / sizeof(unit)),
        progress_(waves) {
    run_.control = &control_;
    run_.mailboxes = mailboxes_.data();
    run_.hungry = hungry_.data();
    run_.inboxes = inboxes_.data();
    run_.shared = shared_.data();
    run_.shared_capacity = few_shared;
    run_.windows = windows_.data();
    run_.waves = waves;
    run_.pool = reinterpret_cast<std::byte*>(pool_.data());
    run_.arenas = arenas_;
    detail::divide_pool(run_, set::summing, static_cast<std::uint32_t>(pool_.size()), 2);
    run_.force_yield = static_cast<std::uint32_t>(force_yield * 4294967295.0);
    run_.seed = seed;
    run_.host = &host_;
    run_.result = result_;
    run_.progress = progress_.data();
    run_.shows_progress = true;
  }

  /// From now on runs use only `units` compute units.
  void confine(unsigned units) {
    run_.waves = static_cast<std::uint32_t>(waves_.size()) / detail::device_units * units;
    run_.unit_parts = unit_parts_;
    run_.units = units;
  }

  /// The result is in `result()`. False if the run failed.
  bool operator()(const typename Root::arguments& arguments) {
    for (unsigned i = 0; i < std::max(run_.waves, detail::most_compute_units); ++i) {
      detail::as_item(i, [&] { detail::prepare(run_); });
    }
    host_.ended = 0;
    host_.failed = 0;
    std::memcpy(run_.arguments, &arguments, sizeof arguments);
    run_.root = set::template id<Root>;
    std::vector<std::thread> threads;
    // A run may be shorter than the start of a thread.
    std::barrier all(static_cast<std::ptrdiff_t>(waves_.size()));
    for (unsigned wave = 0; wave < waves_.size(); ++wave) {
      threads.emplace_back([this, wave, &all] {
        all.arrive_and_wait();
        if (wave == 0) wait_for_the_hungry();
        waves_[wave].run([&](unsigned /*lane*/) {
          detail::this_lane().group_number = wave;
          detail::run_tasks<set>(run_);
        });
      });
    }
    for (std::thread& one : threads) one.join();
    return host_.ended != 0;
  }
  template <class Result = typename Root::result_type>
  [[nodiscard]] Result result() const {
    Result r;
    std::memcpy(&r, result_, sizeof r);
    return r;
  }
  [[nodiscard]] const detail::control_block& counted() const { return control_; }
  /// Where wavefronts tell their progress, of which they forget what they have told.
  const std::vector<detail::wave_progress>& told() {
    std::fill(progress_.begin(), progress_.end(), detail::wave_progress{});
    return progress_;
  }
  [[nodiscard]] detail::failure why() const { return static_cast<detail::failure>(host_.failed); }

 private:
  /// Beside other work a short run may be over before a second thread has run at all. So the
  /// wavefront with the root begins when the others have asked for work. It does not wait for long,
  /// as some may not take part.
  void wait_for_the_hungry() const {
    if (run_.unit_parts != nullptr) return;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    for (;;) {
      // Relaxed: counts.
      std::size_t hungry = __atomic_load_n(&control_.shared_head, __ATOMIC_RELAXED);
      for (const std::uint32_t& word : hungry_)
        hungry += static_cast<std::size_t>(std::popcount(__atomic_load_n(&word, __ATOMIC_RELAXED)));
      if (hungry + 1 >= waves_.size() || std::chrono::steady_clock::now() > deadline) return;
      std::this_thread::yield();
    }
  }

  /// Slots for ready tasks that all wavefronts share: so few that they are used again and again.
  static constexpr std::uint32_t few_shared = 64;

  struct alignas(detail::unit_bytes) unit {
    std::byte bytes[detail::unit_bytes];
  };

  detail::control_block control_{};
  detail::host_block host_{};
  alignas(16) std::uint32_t result_[set::result_words] = {};
  std::vector<detail::mailbox> mailboxes_;
  std::vector<std::uint32_t> hungry_;
  std::vector<std::uint32_t> inboxes_;
  std::vector<std::uint32_t> shared_;
  std::vector<std::uint32_t> windows_;
  std::vector<detail::emulated_wave> waves_;
  std::vector<unit> pool_;
  std::vector<detail::wave_progress> progress_;
  detail::pool_arena arenas_[2] = {};
  std::uint32_t unit_parts_[detail::most_compute_units] = {};
  detail::run_parameters<set> run_{};
};

}  // namespace emulated_caller
