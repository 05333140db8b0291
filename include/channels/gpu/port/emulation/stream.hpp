#pragma once

#include <atomic>        // atomic
#include <cerrno>        // errno
#include <deque>         // deque
#include <memory>        // make_shared, shared_ptr
#include <system_error>  // system_error
#include <thread>        // jthread
#include <vector>        // vector

#include "channels/gpu/port/emulation/kernel_call.hpp"
#include "channels/gpu/port/emulation/wavefront.hpp"

namespace channels::gpu::emulated {

/// The GPU for which a thread calls these functions.
inline thread_local int current_gpu = 0;

/// Work-groups that run at once, of a kernel with more.
inline constexpr unsigned most_at_once = 16;

/// Kernels, one after the other.
class stream {
 public:
  stream() : gpu_(static_cast<unsigned>(current_gpu)) {}
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;
  ~stream() { wait(); }

  void wait() { threads_.clear(); }
  [[nodiscard]] unsigned gpu() const { return gpu_; }
  [[nodiscard]] bool is_done() {
    // Acquire: what the work-items wrote is read by whoever learns that they are done.
    if (running_.load(std::memory_order_acquire) != 0) return false;
    wait();
    return true;
  }
  /// Calls the kernel for all work-items. Those of a wavefront run together.
  void run(unsigned groups, unsigned items, std::size_t group_memory, const kernel_call& kernel) {
    const std::shared_ptr<void> parameters(kernel.parameters, kernel.end);
    wait();
    const unsigned at_once = groups < most_at_once ? groups : most_at_once;
    const unsigned each = (items + detail::wave_width - 1) / detail::wave_width;  // wavefronts
    while (waves_.size() < std::size_t{at_once} * each) waves_.emplace_back();
    auto shared = std::make_shared<std::deque<detail::emulated_group>>();
    for (unsigned i = 0; i < at_once; ++i) shared->emplace_back(each, group_memory);
    // Relaxed: the threads are not there yet.
    running_.store(at_once * each, std::memory_order_relaxed);
    for (unsigned i = 0; i < at_once * each; ++i) try {
        threads_.emplace_back([=, this] {
          waves_[i].run([&](unsigned lane) {
            detail::emulated_lane& known = detail::this_lane();
            known.groups = groups;
            known.gpu = gpu_;
            known.group = &(*shared)[i / each];
            known.wave_number = i % each;
            for (unsigned group = i / each; group < groups; group += at_once) {
              known.group_number = group;
              known.item = (group * each + known.wave_number) * detail::wave_width + lane;
              kernel.run(parameters.get());
            }
          });
          // Release: see is_done.
          running_.fetch_sub(1, std::memory_order_release);
        });
      } catch (const std::system_error& e) {
        errno = e.code().value();
        detail::end_for_lack_of("thread for a wavefront");
      }
  }

 private:
  unsigned gpu_;
  std::atomic<unsigned> running_{0};
  std::deque<detail::emulated_wave> waves_;
  std::vector<std::jthread> threads_;
};

}  // namespace channels::gpu::emulated
