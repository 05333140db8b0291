#pragma once

#include "channels/gpu/channels/batch_worker.hpp"
#include "channels/gpu/device_aggregator/group_signal.hpp"
#include "channels/gpu/device_aggregator/ledger.hpp"

/// The neighbour: the wavefront beside the device aggregator, in its work-group. Batches that one
/// wavefront can run pass between the two through the memory of the work-group, without a round
/// trip to the device's memory and without a fence for the device. The aggregator's next
/// announcement releases what the neighbour wrote, and the aggregator has acquired what others
/// wrote.
namespace channels::gpu::detail {

/// A batch that the neighbour is asked to run.
struct neighbour_batch {
  node_function run;  ///< null: the end
  const void* closure;
  batch_parameters batch;
};
/// What the neighbour and the aggregator share besides the ledger. The memory of the neighbour's
/// leaves comes after it, and is aligned.
struct alignas(16) neighbour_memory {
  group_signal asked;        ///< batches that the aggregator has asked for
  group_signal ended;        ///< of those
  std::uint64_t busy_ns;     ///< for those
  neighbour_batch batch[2];  ///< by number: one may be made ready while the other one runs

  [[nodiscard]] CHANNELS_GPU_INLINE neighbour_batch& of(std::uint32_t number) {
    return batch[number % 2];
  }
};

/// The aggregator's side. All lanes of the aggregator call its functions together.
class neighbour {
 public:
  CHANNELS_GPU_INLINE explicit neighbour(neighbour_memory& m) : m_(m) {}

  [[nodiscard]] CHANNELS_GPU_INLINE bool is_busy() const { return flights_ != 0; }
  /// The flight that it runs, as a bit; 0 if it is not busy.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t flights() const { return flights_; }
  /// If it is busy. All lanes see what the batch wrote.
  [[nodiscard]] CHANNELS_GPU_INLINE bool has_ended() const {
    return ballot(!m_.ended.is_at(asked_)) == 0;
  }
  /// The flight that it has run, as a bit. It may be asked again.
  CHANNELS_GPU_INLINE std::uint32_t take() {
    const std::uint32_t ended = flights_;
    flights_ = 0;
    return ended;
  }
  /// Where the next batch is made ready.
  [[nodiscard]] CHANNELS_GPU_INLINE neighbour_batch& next() { return m_.of(asked_ + 1); }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t next_number() const { return asked_ + 1; }
  /// Begins the batch that was made ready. Release, work-group.
  CHANNELS_GPU_INLINE void ask(std::uint32_t flight) {
    flights_ = 1U << flight;
    tell();
  }
  CHANNELS_GPU_INLINE void dismiss() {
    if (lane_index() == 0) next().run = nullptr;
    tell();
  }
  /// Nanoseconds, if it is not busy.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint64_t busy_ns() const { return m_.busy_ns; }

 private:
  CHANNELS_GPU_INLINE void tell() {
    // Releases the batch, and all that the aggregator has acquired for it.
    m_.asked.raise(++asked_);
  }

  neighbour_memory& m_;
  std::uint32_t asked_ = 0;
  std::uint32_t flights_ = 0;
};

/// The wavefront itself. All its lanes call its functions together.
class neighbour_wavefront {
 public:
  CHANNELS_GPU_INLINE neighbour_wavefront(const device_aggregator_parameters& p,
                                          neighbour_memory& m)
      : p_(p), m_(m) {}

  CHANNELS_GPU_INLINE void run() {
    const std::uint32_t self = group_count() - 1;  // the others are workers
    const std::uint32_t first_part = self * (persistent_items / wave_width);
    const batch_place at{0, 1, first_part, reinterpret_cast<std::byte*>(&m_ + 1)};
    const bool notes = p_.work.entries != nullptr;
    std::uint64_t noted = notes ? p_.work.counts[self] : 0;
    for (std::uint32_t number = 1;; ++number) {
      m_.asked.wait_for(number);
      const neighbour_batch& next = m_.of(number);
      if (next.run == nullptr) break;
      const std::uint64_t began = clock_ns();
      fence_beside_call();
      next.run(next.batch, at, next.closure);
      fence_beside_call();
      const std::uint64_t ended = clock_ns();
      if (lane_index() == 0) m_.busy_ns += ended - began;
      unit_work work{};
      if (notes) work = work_of(next.batch, began, ended, 1);
      // What all lanes wrote for the aggregator and for the batches to come.
      m_.ended.raise(number);
      // Nothing waits for this note; the batch's place may hold another one by now.
      if (notes && lane_index() == 0) {
        unit_work* const own = p_.work.entries + std::size_t{self} * p_.work.each;
        own[noted++ & (p_.work.each - 1)] = work;
      }
    }
    if (lane_index() == 0 && notes) p_.work.counts[self] = noted;
  }

 private:
  const device_aggregator_parameters& p_;
  neighbour_memory& m_;
};

}  // namespace channels::gpu::detail
