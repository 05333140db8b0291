#pragma once

#include <cstddef>  // offsetof

#include "channels/config.hpp"
#include "channels/detail/channel_view.hpp"

/// What one dispatch hands to a device, and what comes back. A device knows this and the channel,
/// and nothing of graphs or of Cilk.
namespace channels {

/// A channel and the number by which the aggregator knows it. Stays where it is while the channel
/// lives.
struct bound_channel {
  channel_view view;
  std::uint32_t id = 0;
};

/// Why a frame is handed to the aggregator instead of to a channel (paper, section 6, "restart
/// context").
enum class restart_reason : std::uint32_t {
  no_room,  ///< stopped at a spawn, or before it began: go on when a channel that it writes to has
            ///< room
  suspended,  ///< waits for its children a second time: resume when its level is the deepest again
  ready,      ///< counted: its last child has finished
  no_memory,  ///< stopped where it allocates: go on when another task has given memory back
  no_memory_granted,  ///< likewise, although it was let go on alone (`task_allocations`)
};

/// Names a saved frame, or an element that could not begin, and what it waits for. The frame's own
/// record holds the resume point.
struct restart_context {
  std::uint64_t ticket = 0;   ///< in its channel
  std::uint32_t channel = 0;  ///< `bound_channel::id` of that channel
  restart_reason reason = restart_reason::no_room;
};

/// How a batch ran, if that is timed: what the unit that ran it counted meanwhile.
struct batch_times {
  std::uint64_t start = 0;  ///< in ticks (runtime/observe/ticks.hpp)
  std::uint64_t end = 0;
  std::uint32_t unit = 0;   ///< the compute unit
  std::uint32_t waves = 0;  ///< wavefronts
  std::uint32_t lanes = 0;  ///< of those, with an element
  std::uint32_t retries = 0;
  std::uint32_t yields = 0;
};

/// A kernel node, elements of the one channel that it consumes, and where its results go.
struct batch {
  static constexpr std::uint32_t most_runs = 16;

  const bound_channel* source = nullptr;
  run runs[most_runs] = {};  ///< the elements, unless `tickets` is set
  std::uint32_t run_count = 0;
  const std::uint64_t* tickets = nullptr;  ///< restarted frames or elements, one by one
  std::uint32_t count = 0;                 ///< elements in all
  std::uint32_t level = 0;                 ///< of the source channel
  /// Channels that the node may write to, in the order in which the node names them. Null where the
  /// aggregator had no memory for one: then it has no room.
  const bound_channel* const* outputs = nullptr;
  std::uint32_t output_count = 0;

  // Results, on a cache line of their own: a unit writes them and the aggregator, which may run on
  // another core, reads them, so that each line more costs the way between the two.

  /// This many elements, from the first on, were consumed. The others found no room before they did
  /// anything, and are still ready.
  alignas(cache_line) std::uint32_t consumed = 0;
  /// This many of them found no room, and were handed over as restart contexts.
  std::uint32_t restarted = 0;
  /// These frames spawned this many children, whether or not they were restarted after that.
  std::uint64_t spawned = 0;
  /// Filled in by a device that times batches.
  batch_times times;
};
static_assert(sizeof(batch) % cache_line == 0 && offsetof(batch, times) + sizeof(batch_times) <=
                                                     offsetof(batch, consumed) + cache_line,
              "what a unit writes is one cache line");

}  // namespace channels
