#pragma once

#include <array>    // array
#include <cstddef>  // byte
#include <cstdint>  // fixed-width integers
#include <vector>   // vector

#include "channels/detail/channel_protocol.hpp"
#include "channels/detail/device_log.hpp"
#include "channels/scheduling.hpp"

/// What passes between the aggregator on the host and the one on a device, which decides for a
/// while.
namespace channels::detail {

struct graph_model;

/// What an aggregator on a device keeps at hand; the host keeps a run with more to itself.
inline constexpr std::uint32_t most_handover_channels = 128;
inline constexpr std::uint32_t most_handover_places = 512;  ///< levels times stacks

/// A channel of which nothing is in flight: between its oldest ready element and its tail, what is
/// not ready is done. But of frames of the counted rule (`counted`) nothing is enqueued: there,
/// each says itself whether it is ready, and done counts say how many are free.
struct handover_channel {
  /// So many runs may be ready; the host keeps a channel with more to itself.
  static constexpr std::uint32_t most_runs = 16;

  std::byte* data = nullptr;
  std::uint64_t tail = 0;  ///< the next ticket
  std::uint32_t id = 0;    ///< `bound_channel::id`
  std::uint32_t stack = 0;
  std::uint32_t level = 0;
  std::uint32_t capacity = 0;
  std::uint32_t done_group = 1;  ///< space becomes free by so many elements, as on the host
  std::uint64_t asked = 0;       ///< elements that the host has tried to make room for
  std::uint64_t most_live = 0;
  std::uint32_t current = 0;  ///< 1: takes new elements
  std::uint32_t run_count = 0;
  run runs[most_runs] = {};  ///< in the order of their tickets

  std::uint32_t counted = 0;       ///< 1: frames of the counted rule
  std::uint32_t ready_frames = 0;  ///< of those
  std::uint32_t first_count = 0;   ///< where its done counts are in `handover::done`
  std::uint64_t head = 0;          ///< the first ticket of the oldest group that is not free
};

enum class handover_end : std::uint32_t {
  none,
  done,     ///< no channel holds anything
  room,     ///< channels have to be made or enlarged
  remarks,  ///< a batch found no room for all, or left more pieces than the device keeps
  stopped,  ///< the host asked for it
};

/// How far an aggregator on a device is.
struct handover_progress {
  std::uint64_t tasks = 0;
  std::int64_t level = -1;
};

/// The time during which an aggregator on a device decides.
struct handover {
  // From the host.
  const graph_model* model = nullptr;
  scheduling_order order = scheduling_order::custom;
  std::uint32_t most_in_batch = 0;

  /// What there is at the start; at the end what is left.
  std::vector<handover_channel> channels;
  /// Done counts of the counted channels, one after the other: of each all its groups.
  std::vector<std::uint32_t> done;

  // From the device.
  handover_end why = handover_end::none;
  /// Frames of the counted rule that are ready, by their channel's number in `channels`.
  struct ready_frame {
    std::uint32_t channel = 0;
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
  std::uint64_t busy_ns = 0;  ///< of work-groups with a batch, all together
  std::uint64_t wait_ns = 0;  ///< of work-groups without one
  handover_log log;

  /// A batch that has ended, of which the host has to make sense.
  struct left_batch {
    std::uint32_t slot = 0;  ///< where the device has its report
    std::uint32_t node = 0;
    std::uint32_t source = 0;  ///< among `channels`
    std::uint32_t count = 0;
    bool looked = false;      ///< for ready frames of the counted rule: its lanes have freed them
    std::uint64_t start = 0;  ///< of a traced run, by the device's clock
    std::uint64_t end = 0;
    std::vector<run> runs;
    struct window {
      std::uint32_t channel = 0;  ///< among `channels`
      run reserved;
    };
    std::vector<window> windows;  ///< by output of the node
  };
  std::vector<left_batch> left;
};

}  // namespace channels::detail
