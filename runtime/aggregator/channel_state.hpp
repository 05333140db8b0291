#pragma once

#include <array>    // array
#include <cstddef>  // size_t
#include <cstdint>  // fixed-width integers
#include <vector>   // vector

#include "channels/detail/batch.hpp"
#include "runtime/aggregator/memory_pool.hpp"
#include "runtime/aggregator/run_queue.hpp"

namespace channels::detail {

/// The three lists of a channel from which a batch can be made.
enum class ready_kind : std::uint8_t {
  fresh,      ///< `ready`: elements, and frames (levelized) that are resumed for the first time
  resumable,  ///< `resumable`: frames whose children have finished
  waiting,    ///< `waiting`: frames and elements that found no room before
};
inline constexpr std::array ready_kinds{ready_kind::fresh, ready_kind::resumable,
                                        ready_kind::waiting};

/// What the aggregator knows of one channel. Only the aggregator's thread uses it. Invariant: each
/// ticket that is ready is in exactly one of the lists, or in a batch in flight.
struct channel_state {
  bound_channel bound;  ///< what the device sees; `bound.id` is the channel's number
  std::uint32_t stack = 0;
  std::uint32_t level = 0;
  bool frames = false;  ///< a post-spawn node consumes it
  channel_geometry geometry;
  memory_block block;
  bool current = true;  ///< new elements go here; otherwise a larger channel has taken its place

  std::uint64_t position = 0;  ///< control words collected
  run_queue ready;
  std::uint64_t eligible = 0;  ///< how many of `ready` are frames whose children have finished
  std::vector<std::uint64_t> waiting;    ///< frames and elements that need room below
  std::vector<std::uint64_t> starved;    ///< frames that need task memory
  std::vector<std::uint64_t> granted;    ///< the same, of frames that may use what is kept of it
  std::vector<std::uint64_t> suspended;  ///< frames at a later sync (levelized)
  std::vector<std::uint64_t> resumable;  ///< frames whose children have finished, one by one

  std::uint32_t in_flight = 0;  ///< batches of its elements
  std::uint64_t promised = 0;   ///< elements that batches in flight may yet write here
  std::uint64_t live = 0;       ///< elements that are not available, as of the last refresh
  std::uint64_t arrival = 0;    ///< orders channels by when their oldest ready element was seen
  /// By `ready_kind`: `headway::epoch` when a batch of that list changed nothing.
  std::array<std::uint64_t, ready_kinds.size()> refused_at{~std::uint64_t{0}, ~std::uint64_t{0},
                                                           ~std::uint64_t{0}};
  bool has_retried = false;     ///< an element did, since one finished
  denied_room denied;           ///< what it asked for in vain: `note_denial`
  std::uint64_t most_live = 0;  ///< the largest `live` so far
  std::uint64_t asked = 0;      ///< elements that a handover has tried to make room for

  /// Elements that can still be promised to batches.
  [[nodiscard]] std::uint64_t free() const {
    const std::uint64_t used = live + promised;
    return used < geometry.capacity ? geometry.capacity - used : 0;
  }
  [[nodiscard]] bool idle() const { return live == 0 && in_flight == 0 && promised == 0; }
  /// How many elements or frames a batch of this kind could have.
  [[nodiscard]] std::uint64_t count_of(ready_kind what) const {
    switch (what) {
      case ready_kind::fresh: return frames ? eligible : ready.count();
      case ready_kind::resumable: return resumable.size();
      case ready_kind::waiting: break;
    }
    return waiting.size();
  }
  [[nodiscard]] bool holds_work() const {
    return count_of(ready_kind::fresh) + waiting.size() + resumable.size() != 0;
  }
};

}  // namespace channels::detail
