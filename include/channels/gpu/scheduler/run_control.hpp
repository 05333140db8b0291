#pragma once

#include "channels/gpu/port/atomic.hpp"

/// What the wavefronts of a run share in the memory of the device.
namespace channels::gpu::detail {

/// Why a run was stopped.
enum class failure : std::uint32_t {
  none,
  memory,   ///< no frame is left for `where`, a task, at `level`
  ready,    ///< no room is left for the children of `where`
  heap,     ///< a task can allocate nothing any more
  room,     ///< a task gives up a lane that has denied it nothing
  unread,   ///< a wavefront has not read what it was given
  points,   ///< a task waits at a point whose number is too large
  stopped,  ///< the host asked for it
};

/// Words of the run as a whole.
struct control_block {
  alignas(128) std::uint32_t failed;  ///< not 0: a lane has failed, and has said so to the host

  // Of a run on some of the compute units (confined.hpp):
  alignas(128) std::uint32_t arrived;  ///< wavefronts that have a part in it, and are there
  std::uint32_t units;                 ///< that have asked

  // Of tasks that sum up:
  alignas(128) std::uint32_t working;  ///< wavefronts that have work, and gifts under way
  alignas(128) std::uint64_t sum;      ///< of those wavefronts that had work

  // Of ready tasks that all wavefronts share (shared_tasks.hpp):
  alignas(128) std::uint32_t shared_head;  ///< ticket of the next to be taken
  alignas(128) std::uint32_t shared_tail;  ///< of the next to be given

  // What the wavefronts did, added up when they leave.
  alignas(128) std::uint64_t tasks;
  std::uint64_t resumed;
  std::uint64_t yields;
  std::uint64_t gifts;  ///< from a wavefront to another
  std::uint64_t given;  ///< tasks in them
  std::uint64_t turns;  ///< of wavefronts
  std::uint64_t busy;   ///< lanes that had work in these turns
};

/// The sum over all lanes, for lane 0. All of them call it together.
CHANNELS_GPU_INLINE std::uint64_t sum_of_wave(std::uint64_t value) {
  for (unsigned distance = wave_width / 2; distance != 0; distance /= 2) {
    value += of_lane_above(value, distance);
  }
  return value;
}

/// Where a wavefront learns that a gift is in its inbox, or that the run is over. On a sector of
/// its own, so that those who wait do not wait for each other.
struct alignas(32) mailbox {
  /// 0: nothing yet. Else how many tasks there are.
  std::uint32_t letter;
};
inline constexpr std::uint32_t run_is_over = ~std::uint32_t{0};

/// A part of the pool. The wavefronts of a compute unit take theirs from the same one while it
/// lasts: what a unit works on is then in few pages, and its address translation does not miss.
struct alignas(32) arena {
  std::uint32_t taken;  ///< units
};

/// What the host gets from a run, in its own memory.
template <class Set>
struct host_block {
  alignas(16) std::uint32_t result[Set::result_words];
  std::uint32_t stop;    ///< not 0: the host wants the run to end
  std::uint32_t ended;   ///< not 0: the root's result is there
  std::uint32_t failed;  ///< a `failure`
  std::uint32_t where;
  std::uint32_t level;
};

struct wave_progress;

/// A run can tell so many compute units apart.
inline constexpr std::uint32_t most_compute_units = 1024;

/// What a run is given. Passed to the kernel by value.
template <class Set>
struct run_parameters {
  control_block* control;
  mailbox* mailboxes;      ///< of each wavefront
  std::uint32_t* hungry;   ///< a bit for each wavefront: whoever clears it has to send a gift
  std::uint32_t* inboxes;  ///< of each wavefront: a row of tasks
  std::uint32_t* shared;   ///< slots of tasks that all share (shared_tasks.hpp)
  std::uint32_t shared_capacity;
  std::uint32_t* windows;  ///< of each wavefront, if they do not fit the memory of a work-group
  std::uint32_t waves;
  std::uint32_t* unit_parts;  ///< of each compute unit (confined.hpp); null: all have a part
  std::uint32_t units;        ///< that have one
  std::byte* pool;            ///< frames, and ready tasks beyond the windows
  arena* arenas;              ///< its parts, one after the other
  std::uint32_t arena_count;
  std::uint32_t arena_units;  ///< of each
  std::uint32_t force_yield;  ///< of 2^32: how often room is denied although there is some
  std::uint32_t seed;
  std::uint32_t root;  ///< the task that is called
  alignas(16) std::uint32_t arguments[Set::argument_words];
  host_block<Set>* host;
  wave_progress* progress;  ///< of each wavefront, in the host's memory; null: nobody asks
};

/// The pool is handed out in units of so many bytes.
inline constexpr std::size_t unit_bytes = 16;
/// As many as may be, so that a counter of them does not wrap around when many ask in vain.
inline constexpr std::size_t most_units = std::size_t{1} << 31U;

/// Takes `units` of the pool for this lane, for as long as the run lasts. `no_unit` if there are
/// not so many.
inline constexpr std::uint32_t no_unit = ~std::uint32_t{0};
template <class Set>
CHANNELS_GPU_FUNCTION std::uint32_t take_units_alone(const run_parameters<Set>& run,
                                                     std::uint32_t units) {
  std::uint32_t at = compute_unit() % run.arena_count;
  for (std::uint32_t i = 0; i < run.arena_count; ++i) {
    std::uint32_t& taken = run.arenas[at].taken;
    // Relaxed: the memory is not handed from one to another, it is nobody's before.
    if (load<order::relaxed>(&taken) + units <= run.arena_units) {
      const std::uint32_t first_unit = fetch_add<order::relaxed>(&taken, units);
      if (first_unit + units <= run.arena_units) return at * run.arena_units + first_unit;
    }
    at = at + 1 == run.arena_count ? 0 : at + 1;
  }
  return no_unit;
}

/// For the wavefront. All lanes call it together.
template <class Set>
CHANNELS_GPU_INLINE std::uint32_t take_units(const run_parameters<Set>& run, std::uint32_t units) {
  std::uint32_t start = no_unit;
  if (lane_index() == 0) start = take_units_alone(run, units);
  return of_lane(start, 0);
}

}  // namespace channels::gpu::detail
