#pragma once

#include "channels/detail/handover.hpp"
#include "channels/gpu/channels/batch.hpp"

/// An aggregator on the device: what it and the work-groups that run its batches share. One
/// persistent kernel has both; its first work-group decides.
namespace channels::gpu::detail {

using channels::detail::handover_channel;
using channels::detail::handover_end;
using channels::detail::most_handover_channels;
using channels::detail::most_handover_places;

inline constexpr std::uint32_t device_batches_in_flight = 4;

/// All lanes together.
CHANNELS_GPU_INLINE void copy_words(void* to, const void* from, std::uint32_t words) {
  for (std::uint32_t i = lane_index(); i < words; i += wave_width)
    static_cast<std::uint32_t*>(to)[i] = static_cast<const std::uint32_t*>(from)[i];
}

/// A message of 32 words of 32 bits, each with the number of the message beside it in one word of
/// 64. Who reads them all with the number that he waits for has read all of the message, in one
/// round trip to memory, and whatever else the line held before or comes to hold.
struct line {
  static constexpr std::uint32_t size = 32;
  std::uint64_t words[size];
};

/// All lanes together. Release, with the fence: what the wavefront knows is known to the reader.
template <scope Reader = scope::device>
CHANNELS_GPU_INLINE void write_line(line& to, const std::uint32_t* message, std::uint32_t number) {
  for (std::uint32_t i = lane_index(); i < line::size; i += wave_width) {
    channels::detail::atomic_store<release_beside_fence, Reader>(
        &to.words[i], std::uint64_t{number} << 32U | message[i]);
  }
}
/// A line as it was found. All lanes call its functions together.
class line_copy {
 public:
  /// Acquire: what the writer knew is known to the lane that read a word of the message, and after
  /// a fence in the wavefront to all.
  template <scope Writer = scope::device, order Order = order::acquire>
  CHANNELS_GPU_INLINE void read(const line& from) {
    CHANNELS_GPU_UNROLL
    for (std::uint32_t k = 0; k < per_lane; ++k) {
      const std::uint32_t i = lane_index() + k * wave_width;
      word_[k] = load<Order, Writer>(&from.words[i % line::size]);
    }
  }
  [[nodiscard]] CHANNELS_GPU_INLINE bool is_message(std::uint32_t number) const {
    bool torn = false;
    for (std::uint32_t k = 0; k < per_lane; ++k)
      torn |= static_cast<std::uint32_t>(word_[k] >> 32U) != number;
    return ballot(torn) == 0;
  }
  /// Of the message that its first word belongs to.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t number() const {
    return of_lane(static_cast<std::uint32_t>(word_[0] >> 32U), 0);
  }
  CHANNELS_GPU_INLINE void copy_to(std::uint32_t* message) const {
    for (std::uint32_t k = 0; k < per_lane; ++k) {
      const std::uint32_t i = lane_index() + k * wave_width;
      if (i < line::size) message[i] = static_cast<std::uint32_t>(word_[k]);
    }
  }

 private:
  static constexpr std::uint32_t per_lane = (line::size + wave_width - 1) / wave_width;
  std::uint64_t word_[per_lane];
};

/// What the aggregator tells all work-groups of a batch: a head, the runs of elements, three words
/// each, and a window for each output, four words each.
struct announcement {
  static constexpr std::uint32_t lines = 4;
  static constexpr std::uint32_t most_runs = 4;
  enum word : std::uint32_t {
    node,
    level,
    elements,
    groups,
    first_group,
    source,
    runs,
    slot,
    budget,
    head
  };
  static constexpr std::uint32_t windows = head + 3 * most_runs;
  /// Instead of a node: the work-groups leave.
  static constexpr std::uint32_t over = ~std::uint32_t{0};
  /// Instead of an output's channel: there is none.
  static constexpr std::uint32_t no_channel = ~std::uint32_t{0};
  static_assert(windows + 4 * most_outputs <= lines * line::size);

  [[nodiscard]] CHANNELS_GPU_INLINE static channels::run run_in(const std::uint32_t* message,
                                                                std::uint32_t i) {
    const std::uint32_t* const from = message + head + 3 * i;
    return {from[0] | std::uint64_t{from[1]} << 32U, from[2]};
  }

  line of[lines];
};
/// So many announcements are kept. One is overwritten when its batch has ended, so a work-group
/// that finds a later one had no part in what it missed.
inline constexpr std::uint32_t announcement_ring = 32;

/// What the last work-group of a batch tells the aggregator.
struct report_word {
  enum word : std::uint32_t { taken, remarks = most_outputs, frames };
};

/// Where a channel is. Does not change while the kernel runs.
struct channel_place {
  std::byte* data;
  std::uint32_t mask;
  std::uint32_t id;
  std::uint32_t* done;  ///< its done counts, if it has frames of the counted rule; else null
  std::uint32_t group;
};

struct kept_output {
  std::uint16_t stack;
  std::uint16_t step;
  std::uint32_t bound;
};
using node_function = void (*)(const batch_parameters& batch, const batch_place& at,
                               const void* closure);
struct kept_node {
  node_function run;
  const void* closure;
  std::uint32_t first_output;  ///< among all nodes'
  std::uint32_t outputs;
};
struct kept_stack {
  std::uint16_t consumer;  ///< node
  bool levels;
  bool frames;
};

// How much the aggregator has room for in the memory of its work-group.
inline constexpr std::uint32_t most_kept_stacks = 16;
inline constexpr std::uint32_t most_kept_nodes = 16;
inline constexpr std::uint32_t most_kept_outputs = 64;

/// What all nodes of a graph are given, in the device's memory.
struct closure_block {
  const std::byte* data;
  std::uint32_t bytes;
};
/// A copy in the memory of a work-group, if there is room: who is alone on a compute unit finds
/// nothing in its cache while others poll there.
struct alignas(16) near_closures {
  static constexpr std::uint32_t room = 1024;
  std::byte bytes[room];

  /// All lanes of a wavefront together.
  CHANNELS_GPU_INLINE void copy(const closure_block& from) {
    if (from.bytes > room) return;
    copy_words(bytes, from.data, from.bytes / sizeof(std::uint32_t));
  }
  /// That of `block` which is `closure`.
  [[nodiscard]] CHANNELS_GPU_INLINE const void* of(const closure_block& block,
                                                   const void* closure) const {
    if (closure == nullptr || block.bytes > room) return closure;
    return bytes + (static_cast<const std::byte*>(closure) - block.data);
  }
};

/// The graph, as the aggregator keeps it at hand.
struct kept_graph {
  kept_node nodes[most_kept_nodes];
  kept_output outputs[most_kept_outputs];
  kept_stack stacks[most_kept_stacks];
  std::uint32_t node_count;
  std::uint32_t stack_count;
};

/// A batch that the aggregator leaves to the host.
struct left_on_device {
  std::uint32_t slot, node, source, count, run_count;
  std::uint64_t start, end;  ///< if that is noted
  run runs[announcement::most_runs];
  struct {
    std::uint32_t channel, count;
    std::uint64_t first;
  } windows[most_outputs];
};

/// What comes back, in the host's memory.
struct device_aggregator_end {
  handover_end why;
  std::uint32_t left_count;
  std::uint64_t batches, cut_by_room, largest_batch, decide_ns, idle_ns, busy_ns, wait_ns;
  std::uint64_t node_batches[most_kept_nodes];
  std::uint64_t node_elements[most_kept_nodes];
  left_on_device left[device_batches_in_flight];
  std::uint64_t started;  ///< when the aggregator did, by the device's clock
  std::uint64_t left_at;
  decision_counts noted;
  std::uint32_t next_number;  ///< of announcements
  std::uint32_t beats;        ///< grows while batches end
  std::uint32_t level;        ///< as of the last beat, of the batch that ended last
  std::uint64_t tasks;        ///< as of the last beat
  std::uint32_t stop;         ///< from the host: not 0, if the run is to end
  std::uint32_t ended;        ///< the number of the run that has ended
};

struct device_aggregator_parameters {
  const kept_graph* graph;
  closure_block closures;
  channel_place* places;       ///< by channel
  handover_channel* channels;  ///< in the host's memory: at the start, and at the end
  std::uint32_t channel_count;
  std::uint32_t* tallies;    ///< see `batch_parameters`; null unless the rule is counted
  std::uint32_t* done;       ///< `handover::done`
  task_heap heap;            ///< for tasks that allocate
  std::uint32_t base_level;  ///< the least of any channel
  channels::scheduling_order order;
  std::uint32_t most_in_batch;
  std::uint32_t most_written;  ///< elements of a batch and its windows together
  announcement* announcements;
  line* reports;  ///< of each batch in flight
  far_counters* counters;
  batch_report* near_reports[device_batches_in_flight];  ///< for batches that are left to the host
  remark* remarks[device_batches_in_flight];
  remark* more_remarks[device_batches_in_flight];
  std::uint64_t* times;  ///< nanoseconds with and without a batch, of all work-groups
  std::uint32_t first_number;
  std::uint32_t run_number;
  std::uint32_t refuse_share;
  std::uint32_t seed;
  std::uint32_t leaf_bytes;  ///< of a wavefront
  persistent_work_log work;
  decision_log log;
  device_aggregator_end* end;
};

}  // namespace channels::gpu::detail
