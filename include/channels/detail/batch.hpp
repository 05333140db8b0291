#pragma once

#include <cstddef>  // offsetof

#include "channels/config.hpp"
#include "channels/detail/channel_view.hpp"

/// What one dispatch hands to a device, and what comes back.
namespace channels {

/// A channel and the number by which the aggregator knows it. It stays at its address while the
/// channel exists.
struct bound_channel {
  channel_view view;
  std::uint32_t id = 0;
};

/// Why a lane names a frame or an element to the aggregator, one by one (paper, section 6, "restart
/// context"), and when it may go on.
enum class restart_reason : std::uint32_t {
  no_room,    ///< it stopped at a spawn, or before it began: when its outputs have room
  suspended,  ///< it waits for its children a second time: when its level is the deepest again
  ready,      ///< counted rule: its last child has finished, so now
  no_memory,  ///< it stopped where it allocates: when another task has given memory back
  no_memory_granted,  ///< the same, although it went on alone (`flight::granted`)
};

/// A restart context: names a frame, or an element that could not begin, and what it waits for. The
/// frame's own record holds the point at which it goes on.
struct restart_context {
  std::uint64_t ticket = 0;   ///< in its channel
  std::uint32_t channel = 0;  ///< `bound_channel::id` of that channel
  restart_reason reason = restart_reason::no_room;
};

/// Room that a lane asked for and did not get.
struct denied_room {
  std::uint32_t asked = 0;   ///< elements; 0: nothing was denied
  std::uint16_t output = 0;  ///< of the node, by number
  bool pushed = false;       ///< by `push`, without a reservation: the element is lost
};

/// How a batch of a timed run ran, and what its compute unit counted meanwhile.
struct batch_times {
  std::uint64_t start = 0;  ///< in ticks (runtime/observe/ticks.hpp)
  std::uint64_t end = 0;
  std::uint32_t unit = 0;   ///< the compute unit
  std::uint32_t waves = 0;  ///< wavefronts
  std::uint32_t lanes = 0;  ///< lanes of those wavefronts that had an element
  std::uint32_t retries = 0;
  std::uint32_t yields = 0;
};

/// Elements of the one channel that a kernel node consumes, and where its results go.
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

  // Results, on one cache line of their own: a compute unit writes them, and the aggregator, which
  // may be on another core, reads them. Each further line would have to move between the two cores.

  /// Elements that were consumed, from the first on. The others found no room before they did
  /// anything, and are still ready.
  alignas(cache_line) std::uint32_t consumed = 0;
  /// How many of the consumed ones were enqueued as restart contexts.
  std::uint32_t restarted = 0;
  /// Elements that it wrote, but for frames, whether or not what wrote them became restart contexts
  /// later.
  std::uint64_t spawned = 0;
  denied_room denied;  ///< to one of its lanes: to one that pushed, if there is one
  /// Only of a device that times batches.
  batch_times times;
};
static_assert(sizeof(batch) % cache_line == 0 && offsetof(batch, times) + sizeof(batch_times) <=
                                                     offsetof(batch, consumed) + cache_line,
              "what a unit writes is one cache line");

}  // namespace channels
