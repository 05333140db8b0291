#pragma once

#include <array>    // array
#include <cstddef>  // byte
#include <cstdint>  // fixed-width integers
#include <vector>   // vector

#include "channels/detail/channel_protocol.hpp"
#include "channels/detail/logging_device.hpp"
#include "channels/scheduling.hpp"

/// What passes between the host's aggregator and the device aggregator in a handover.
namespace channels::detail {

struct graph_model;

/// What the device aggregator has memory for; the host does not hand over a run with more.
inline constexpr std::uint32_t most_handover_channels = 128;
inline constexpr std::uint32_t most_handover_places = 512;  ///< levels times stacks

/// A channel at the start or the end of a handover. Nothing of it is in flight: from its oldest
/// ready element to its tail, all that is not ready is done. Frames of the counted rule (`counted`)
/// are not enqueued: each frame's head says whether it is ready, and done counts say how many are
/// free.
struct handover_channel {
  /// Runs that may be ready; the host does not hand over a channel with more.
  static constexpr std::uint32_t most_runs = 16;

  std::byte* data = nullptr;
  std::uint64_t tail = 0;  ///< the next ticket
  std::uint32_t id = 0;    ///< `bound_channel::id`
  std::uint32_t stack = 0;
  std::uint32_t level = 0;
  std::uint32_t capacity = 0;
  std::uint32_t done_group = 1;  ///< elements that share a done count, as on the host
  std::uint64_t asked = 0;       ///< elements that the host has tried to make room for
  std::uint64_t most_live = 0;
  std::uint32_t current = 0;  ///< 1: takes new elements
  std::uint32_t run_count = 0;
  run runs[most_runs] = {};  ///< in the order of their tickets

  std::uint32_t counted = 0;       ///< 1: frames of the counted rule
  std::uint32_t ready_frames = 0;  ///< how many of those are ready
  std::uint32_t first_count = 0;   ///< where its done counts are in `handover::done`
  std::uint64_t head = 0;          ///< the first ticket of the oldest group that is not free
};

/// Why the device handed back.
enum class handover_end : std::uint32_t {
  none,
  done,     ///< no channel holds anything
  room,     ///< the host has to make or enlarge channels
  remarks,  ///< a batch found no room for all, or left more pieces than the device keeps
  stopped,  ///< the host asked for it
};

/// How far the device aggregator is in a handover.
struct handover_progress {
  std::uint64_t tasks = 0;  ///< consumed since the handover began
  std::int64_t level = -1;  ///< the level that it is at; -1: none yet
};

/// One handover: what the host hands over, and what the device hands back.
struct handover {
  // From the host.
  const graph_model* model = nullptr;
  scheduling_order order = scheduling_order::custom;
  std::uint32_t most_in_batch = 0;

  /// From the host, the channels at the start; from the device, the same channels at the end.
  std::vector<handover_channel> channels;
  /// Done counts of all groups of the counted channels, one channel after the other.
  std::vector<std::uint32_t> done;

  // From the device.
  handover_end why = handover_end::none;
  /// A frame of the counted rule that is ready.
  struct ready_frame {
    std::uint32_t channel = 0;  ///< place in `channels`
    std::uint64_t ticket = 0;
  };
  std::vector<ready_frame> ready;
  struct node_count {
    std::uint64_t batches = 0;
    std::uint64_t elements = 0;
  };
  std::vector<node_count> nodes;  ///< by node: what it consumed
  std::uint64_t batches = 0;
  std::uint64_t cut_by_room = 0;
  std::uint64_t largest_batch = 0;
  std::uint64_t decide_ns = 0;
  std::uint64_t idle_ns = 0;  ///< the aggregator waited for batches
  std::uint64_t busy_ns = 0;  ///< a work-group had a batch, on average
  std::uint64_t wait_ns = 0;  ///< a work-group had none, on average
  handover_log log;

  /// A batch that has ended and is left to the host, since it has remarks.
  struct left_batch {
    std::uint32_t slot = 0;  ///< where the device has its report
    std::uint32_t node = 0;
    std::uint32_t source = 0;  ///< place in `channels`
    std::uint32_t count = 0;   ///< elements
    /// The batch looked for ready frames of the counted rule; its lanes have freed those it ran.
    bool looked = false;
    std::uint64_t start = 0;  ///< in a traced run: nanoseconds of the device's clock
    std::uint64_t end = 0;
    std::vector<run> runs;
    struct window {
      std::uint32_t channel = 0;  ///< place in `channels`
      run reserved;
    };
    std::vector<window> windows;  ///< by output of the node
  };
  std::vector<left_batch> left;
};

}  // namespace channels::detail
