#pragma once

#include <cstdint>  // fixed-width integers
#include <memory>   // unique_ptr

#include "channels/gpu/port/atomic.hpp"
#include "channels/gpu/port/memory.hpp"
#include "channels/task.hpp"
#include "channels/task_traits.hpp"

/// A run that does nothing until the host lets it.
namespace gpu_tasks {

/// A word that the host sets once, and tasks read.
class starting_gun {
 public:
  starting_gun()
      : word_(channels::gpu::detail::allocate_on_host<std::uint32_t>(sizeof(std::uint32_t),
                                                                     "a word")) {
    *word_ = 0;
  }
  // Relaxed: it carries nothing but itself.
  void shoot() const {
    channels::detail::atomic_store<channels::gpu::detail::order::relaxed>(word_.get(), 1U);
  }
  [[nodiscard]] const std::uint32_t* word() const { return word_.get(); }

 private:
  std::unique_ptr<std::uint32_t, channels::gpu::detail::free_host_memory> word_;
};

/// fib, each of whose tasks waits for the host.
struct late_fib {
  static constexpr const char* name = "late_fib";
  using result_type = long;
  struct arguments {
    int n;
    const std::uint32_t* begin;
  };
  struct frame {
    long x, y;
  };
  using spawns = channels::task_list<late_fib>;
  static constexpr std::uint32_t spawn_bound = 2;
  static constexpr bool shares_frame = false;
  static constexpr bool results_in_frame = true;
  static constexpr bool sums_up = true;
  static constexpr auto reach = channels::reach::host;

  template <class Lane>
  CHANNELS_DEVICE static channels::outcome enter(Lane& lane, const arguments& a) {
    while (channels::detail::atomic_load<channels::gpu::detail::order::relaxed>(a.begin) == 0) {
    }
    if (a.n < 2) return lane.finish(a.n);
    frame* const f = lane.template open<late_fib>(2);
    if (f == nullptr) return lane.retry();
    (void)lane.template spawn<late_fib>(&f->x, {a.n - 1, a.begin});
    (void)lane.template spawn<late_fib>(&f->y, {a.n - 2, a.begin});
    return lane.sync(1);
  }
  template <class Lane>
  CHANNELS_DEVICE static channels::outcome resume(Lane& lane, frame& f, std::uint32_t /*point*/) {
    return lane.finish(f.x + f.y);
  }
};

}  // namespace gpu_tasks
