#pragma once

#include <algorithm>  // max
#include <memory>     // unique_ptr

#include "channels/detail/device.hpp"
#include "channels/gpu/channels/batch.hpp"
#include "channels/gpu/port/memory.hpp"

namespace channels::gpu::detail {

/// A place for one batch in flight: its stream, and what the batch is given and gives back.
struct batch_slot {
  std::unique_ptr<batch_report, free_host_memory> report;
  std::unique_ptr<remark, free_host_memory> remarks;
  std::unique_ptr<remark, free_memory> more_remarks;
  std::uint64_t more_room = 0;
  std::unique_ptr<std::uint64_t, free_host_memory> tickets;
  batch_parameters parameters{};
  channels::detail::flight* work = nullptr;
  /// Its lanes have freed the frames that they resumed: see `frame_counts`.
  bool frames_are_free = false;
  own_stream stream;  ///< last: it ends before what a kernel on it uses

  batch_slot() = default;
  batch_slot(const batch_slot&) = delete;
  batch_slot& operator=(const batch_slot&) = delete;
  void make(std::uint32_t most_in_batch) {
    stream.make();
    report = allocate_on_host<batch_report>(sizeof(batch_report), "pinned memory");
    report->number = 0;
    remarks = allocate_on_host<remark>(sizeof(remark) * pinned_remarks, "pinned memory");
    tickets = allocate_on_host<std::uint64_t>(sizeof(std::uint64_t) * most_in_batch,
                                              "pinned memory (CHANNELS_BATCH)");
  }
  [[nodiscard]] bool lacks_room(std::uint64_t remarks_wanted) const {
    return remarks_wanted > std::max<std::uint64_t>(more_room, pinned_remarks);
  }
  void make_room(std::uint64_t remarks_wanted) {
    if (!lacks_room(remarks_wanted)) return;
    more_room = remarks_wanted * 2;
    more_remarks.reset();
    more_remarks =
        allocate<remark>(sizeof(remark) * more_room, "memory for remarks (CHANNELS_BATCH)");
  }
  /// Acquire: the report, the remarks and the elements were written before.
  [[nodiscard]] bool has_ended() const {
    return __atomic_load_n(&report->number, __ATOMIC_ACQUIRE) == parameters.number;
  }
};

}  // namespace channels::gpu::detail
