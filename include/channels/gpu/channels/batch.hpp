#pragma once

#include "channels/detail/batch.hpp"
#include "channels/gpu/channels/run_log.hpp"
#include "channels/gpu/channels/task_heap.hpp"
#include "channels/gpu/port/atomic.hpp"
#include "channels/gpu/tuning.hpp"

/// A batch as a GPU's kernel gets it. The GPU does not touch what the aggregator works on, the
/// counters and control words of channels: the host reserves a window of each channel that the
/// batch may write to, wavefronts take from the windows with one atomic each, and the host enqueues
/// what they took when the batch has ended.
namespace channels::gpu::detail {

/// Channels that one node may write to. Their numbers fit a remark: `remark::room`.
inline constexpr std::uint32_t most_outputs = 24;

/// A window: elements of a channel that a batch may write.
struct window {
  std::byte* data;        ///< of the channel
  std::uint64_t first;    ///< ticket
  std::uint32_t count;    ///< tickets from there on
  std::uint32_t mask;     ///< capacity - 1
  std::uint32_t channel;  ///< `bound_channel::id`
};

/// What a lane tells the host's aggregator of some elements or frames.
struct remark {
  enum what : std::uint32_t {
    no_room,            ///< could not begin, or yielded: a restart context
    suspended,          ///< a frame waits for its children again (levelized): a restart context
    ready,              ///< a frame whose last child has finished (counted): a restart context
    kept,               ///< a frame that waits again (counted): not to be freed, and nothing else
    unused,             ///< taken from a window, and not written to
    no_memory,          ///< yielded where it allocates: a restart context
    no_memory_granted,  ///< as `no_memory`, although it may have what is kept
    denied,             ///< room that this element asked for in vain: `denied_room`
  };
  std::uint64_t ticket;
  std::uint32_t channel;
  std::uint32_t kind_and_count;

  [[nodiscard]] what kind() const { return static_cast<what>(kind_and_count & 7U); }
  /// How many tickets it is about, from `ticket` on.
  [[nodiscard]] std::uint32_t count() const { return kind() == denied ? 1 : number(); }
  /// Of `denied`: what is in place of a count.
  [[nodiscard]] denied_room room() const {
    return {number() >> 6U, static_cast<std::uint16_t>(number() >> 1U & 31U), (number() & 1U) != 0};
  }
  /// The other way.
  CHANNELS_INLINE CHANNELS_DEVICE static std::uint32_t number_of(const denied_room& d) {
    constexpr std::uint32_t most = (1U << 23U) - 1;
    return (d.asked < most ? d.asked : most) << 6U | d.output << 1U | (d.pushed ? 1U : 0U);
  }

 private:
  [[nodiscard]] std::uint32_t number() const { return kind_and_count >> 3U; }
};

/// The report of a batch, in pinned memory of the host.
struct batch_report {
  std::uint32_t taken[most_outputs];  ///< of each window; more than there was if some went without
  std::uint32_t remarks;
  std::uint32_t frames;    ///< see `batch_counters::frames`
  std::uint32_t released;  ///< tasks that have given memory back
  std::uint64_t began;     ///< nanoseconds of the device's clock
  std::uint64_t ended;
  std::uint32_t number;  ///< of the batch that has ended
};

/// What the lanes of a batch count together, in the device's memory; all 0 when it starts.
struct batch_counters {
  std::uint32_t taken[most_outputs];
  std::uint32_t remarks;
  /// For the device aggregator and the counted rule. Of a post-spawn node: frames resumed, or more
  /// if some found the batch's budget used up. Of a pre-spawn node: frames taken and not needed.
  std::uint32_t frames;
  std::uint32_t released;  ///< tasks that have given memory back
  std::uint32_t waves_done;
  std::uint64_t began;
};

/// The counters of a batch that wavefronts of the whole device run. What they take of each window
/// is counted in a cache line of its own, because a line takes one atomic in a nanosecond or so.
struct device_counters {
  struct alignas(128) word {
    std::uint32_t value;
  };
  batch_counters counts;  ///< without `taken`
  word taken[most_outputs];
};

/// The done counts of a channel of frames of the counted rule, while the device aggregator
/// has it: frames end there in any order, and their lanes free them.
struct frame_counts {
  std::uint32_t* done;  ///< of each group
  std::uint32_t mask;   ///< capacity - 1
  std::uint32_t group;  ///< elements that share a count

  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t* of(std::uint64_t ticket) const {
    return done + (static_cast<std::uint32_t>(ticket) & mask) / group;
  }
  /// Release: the aggregator gives the space away when it has acquired the count.
  CHANNELS_GPU_INLINE void free(std::uint64_t ticket) const {
    fetch_add<order::release>(of(ticket), 1U);
  }
};

struct batch_parameters {
  std::byte* source;
  std::uint32_t source_mask;
  std::uint32_t source_channel;
  std::uint32_t count;
  std::uint32_t level;
  std::uint32_t number;
  std::uint32_t part;          ///< the first of those that its wavefronts have in accumulators
  std::uint32_t refuse_share;  ///< in 2^-32
  std::uint32_t seed;
  const std::uint64_t* tickets;  ///< of the elements; null: `runs`
  std::uint64_t first[batch::most_runs];
  std::uint32_t before[batch::most_runs];  ///< elements in the runs before this one
  std::uint32_t run_count;
  // For tasks of the counted rule, while the device aggregator decides.
  std::uint32_t* tallies;  ///< by channel: frames that became ready there; else null
  frame_counts frames;     ///< of the task's own frames
  std::uint32_t budget;    ///< frames that a post-spawn node may resume
  task_heap heap;          ///< for tasks that allocate
  std::uint32_t grants;    ///< 1: its frames may have what is kept there
  window outputs[most_outputs];
  batch_counters* counters;
  std::uint32_t* taken;      ///< what is taken of the first output's window
  std::uint32_t taken_step;  ///< from an output's to the next one's
  batch_report* report;
  remark* remarks;       ///< in the host's memory: the first `pinned_remarks`
  remark* more_remarks;  ///< in the device's, for as many as there can be
  std::uint32_t node;
  work_log log;

  CHANNELS_INLINE CHANNELS_DEVICE void count_in(batch_counters& c) {
    counters = &c;
    taken = c.taken;
    taken_step = 1;
  }
  CHANNELS_INLINE CHANNELS_DEVICE void count_in(device_counters& c) {
    counters = &c.counts;
    taken = &c.taken[0].value;
    taken_step = sizeof(device_counters::word) / sizeof(std::uint32_t);
  }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t* taken_of(std::uint32_t output) const {
    return taken + output * taken_step;
  }

  /// The ticket of the batch's `i`th element.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint64_t ticket(std::uint32_t i) const {
    if (run_count == 1) return first[0] + i;
    if (tickets != nullptr) return tickets[i];
    std::uint32_t r = run_count - 1;
    while (before[r] > i) --r;
    return first[r] + (i - before[r]);
  }
};

/// Any lane: what its work-group notes of its part of a batch with so many wavefronts.
CHANNELS_GPU_INLINE unit_work work_of(const batch_parameters& b, std::uint64_t began,
                                      std::uint64_t ended, std::uint32_t waves) {
  return {began,
          ended,
          static_cast<std::uint16_t>(b.node),
          static_cast<std::uint16_t>(compute_unit()),
          b.level,
          b.count,
          waves};
}

/// Which of a batch's wavefronts this is, and what it has for itself.
struct batch_place {
  std::uint32_t wave;
  std::uint32_t waves;  ///< of the batch
  std::uint32_t part;   ///< of accumulators
  std::byte* memory;    ///< of its work-group, for leaves; null if no node has any
};

/// Any lane of a kernel that runs one batch: where its wavefront is.
CHANNELS_GPU_INLINE batch_place place_in_kernel(const batch_parameters& b, std::uint32_t waves,
                                                std::size_t leaf_bytes = 0) {
  const std::uint32_t wave = item_index() / wave_width;
  return {wave, waves, b.part + wave,
          reinterpret_cast<std::byte*>(group_memory()) + wave % batch_waves * leaf_bytes};
}

}  // namespace channels::gpu::detail
