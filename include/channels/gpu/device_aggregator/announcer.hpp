#pragma once

#include "channels/gpu/device_aggregator/ledger.hpp"

namespace channels::gpu::detail {

/// Announces batches to the batch workers, each with the next number. All lanes call its functions
/// together.
class announcer {
 public:
  CHANNELS_GPU_INLINE announcer(const device_aggregator_parameters& p, ledger& l,
                                std::uint32_t workers)
      : p_(p), l_(l), workers_(workers), number_(p.first_number) {}

  /// The number of the next announcement.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t number() const { return number_; }
  /// When nothing is in flight: of the workers that wait, those that ran a batch last get the next
  /// one, since their caches know its code.
  CHANNELS_GPU_INLINE void restart_groups() { next_group_ = 0; }

  /// Whether the next announcement takes the place of one that all have read. `announced`:
  /// bits of the batches in flight.
  [[nodiscard]] CHANNELS_GPU_INLINE bool may_announce(std::uint32_t announced) const {
    CHANNELS_GPU_NO_UNROLL
    for (std::uint32_t rest = announced; rest != 0; rest &= rest - 1) {
      if (number_ - l_.flights[first(rest)].number >= announcement_ring) return false;
    }
    return true;
  }

  /// Release, device: what batches that have ended wrote is known to the workers that run this one.
  CHANNELS_GPU_INLINE void announce(ledger_flight& f) {
    const std::uint32_t wanted = (f.count() + persistent_items - 1) / persistent_items;
    const std::uint32_t groups = wanted < workers_ ? wanted : workers_;
    fence_in_wave();
    if (lane_index() == 0) {
      f.message[announcement::groups] = groups;
      f.message[announcement::first_group] = next_group_;
    }
    fence_in_wave();
    release_to_device();
    announcement& a = p_.announcements[number_ % announcement_ring];
    const std::uint32_t words = announcement::size(f.outputs);
    for (std::uint32_t i = 0; i * line::size < words; ++i)
      write_line(a.of[i], f.message + i * line::size, number_);
    next_group_ = (next_group_ + groups) % workers_;
    ++number_;
  }

  /// Tells all workers to leave.
  CHANNELS_GPU_INLINE void announce_end() {
    if (lane_index() == 0) l_.message[batch_head::node] = batch_head::over;
    fence_in_wave();
    write_line(p_.announcements[number_ % announcement_ring].of[0], l_.message, number_);
  }

 private:
  const device_aggregator_parameters& p_;
  ledger& l_;
  std::uint32_t workers_;  ///< work-groups that run batches
  std::uint32_t number_;
  std::uint32_t next_group_ = 0;
};

}  // namespace channels::gpu::detail
