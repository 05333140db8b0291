#pragma once

#include <atomic>   // atomic
#include <cstddef>  // byte
#include <cstdint>  // fixed-width integers
#include <memory>   // unique_ptr
#include <new>      // align_val_t
#include <span>     // span

#include "runtime/host_code/worker.hpp"

namespace channels::net_tasks {

/// A task that another rank has sent. Workers find it as a child of the exchange's own worker, with
/// its closure behind the record, and room for its result. The exchange makes it and frees it.
class arrived_task {
 public:
  /// Who wants to know when a task has ended. Workers call it.
  class listener {
   public:
    virtual ~listener() = default;
    virtual void task_has_ended() noexcept = 0;
  };

  struct origin {
    std::uint32_t rank;
    std::uint64_t number;  ///< that rank's number for it
  };

  struct freed {
    void operator()(arrived_task* t) const;
  };
  using pointer = std::unique_ptr<arrived_task, freed>;

  /// `depth`: of the frame that gave it. Throws `std::bad_alloc`.
  static pointer make(const channels_cilk_traveller& how, origin from, std::uint64_t depth,
                      std::span<const std::byte> closure, listener& told);
  /// The task whose record `c` is; null if it is a child of this rank.
  static arrived_task* of(host_code::child& c);

  [[nodiscard]] host_code::child& record() {
    return *(reinterpret_cast<host_code::child*>(this) - 1);
  }
  [[nodiscard]] const channels_cilk_traveller& how() const { return *how_; }
  [[nodiscard]] origin from() const { return from_; }
  /// When it came.
  [[nodiscard]] host_code::clock::time_point since() const { return since_; }
  [[nodiscard]] void* closure();
  [[nodiscard]] std::span<const std::byte> result();
  /// Whether it has run, and its record is the exchange's again. Acquire, as for any child: the
  /// result happens before what the caller does next.
  [[nodiscard]] bool has_ended() { return record().ended.load(std::memory_order_acquire); }
  [[nodiscard]] bool has_thrown() const { return threw_; }
  /// Nanoseconds that it ran.
  [[nodiscard]] std::uint64_t took() const { return took_; }
  /// It ran at a third rank.
  void ran_elsewhere(std::uint64_t ns) { took_ = ns; }

 private:
  arrived_task(const channels_cilk_traveller& how, origin from, listener& told)
      : how_(&how), from_(from), told_(&told) {}
  static void run(void* closure);

  const channels_cilk_traveller* how_;
  origin from_;
  listener* told_;
  host_code::clock::time_point since_ = host_code::clock::now();
  std::uint64_t took_ = 0;
  bool threw_ = false;
};

}  // namespace channels::net_tasks
