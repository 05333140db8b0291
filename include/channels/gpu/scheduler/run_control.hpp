#pragma once

#include <algorithm>  // max, min

#include "channels/gpu/port/atomic.hpp"
#include "channels/gpu/scheduler/peer_block.hpp"
#include "channels/gpu/tuning.hpp"

/// What the wavefronts of a run share: control words and mailboxes, the parameters of the run, and
/// the pool of memory.
namespace channels::gpu::detail {

/// Why a run was stopped.
enum class failure : std::uint32_t {
  none,
  memory,   ///< no frame is left for `where`, a task, at `level`
  ready,    ///< no room is left for the children of `where`
  heap,     ///< no memory is left for what `where` allocates
  room,     ///< a task yields although no room was denied
  unread,   ///< a wavefront has not read the task that it was given
  points,   ///< a task waits at a point whose number is too large
  stopped,  ///< the host asked for it
};

/// The reserve (reserve.hpp): who has it, and what it has taken. Only `taken` is for all;
/// the rest is for the first lane of the wavefront that has the reserve.
struct reserve_state {
  std::uint32_t taken;      ///< not 0: a wavefront has it
  std::uint32_t low;        ///< units taken from the front, for frames and what tasks allocate
  std::uint32_t high;       ///< units that are left, in front of the pages at the end
  std::uint32_t live;       ///< frames of tasks that have begun and not ended
  std::uint32_t ready;      ///< ready tasks of the wavefront, and frames to resume, that wait until
  std::uint32_t resumable;  ///< the reserve is given back
  std::uint32_t uses;       ///< how often it was taken, in all runs
};

// One lane uses a word of the reserve's state. Relaxed and not plain: a compiler might read it for
// all lanes.
CHANNELS_GPU_INLINE std::uint32_t value_of(const std::uint32_t& word) {
  return load<order::relaxed>(&word);
}
CHANNELS_GPU_INLINE void set(std::uint32_t& word, std::uint32_t value) {
  store<order::relaxed>(&word, value);
}

/// Bits for the number of a task.
inline constexpr unsigned task_bits = 5;

/// What group leaves of a task took in this run, in cycles.
struct leaf_times {
  std::uint32_t together;  ///< one, by all lanes of a wavefront
  std::uint32_t lanes;     ///< some at once, each by one lane
  std::uint32_t tries;     ///< wavefronts that have looked how long the second takes
};

/// Words of the run as a whole.
struct control_block {
  alignas(128) std::uint32_t failed;  ///< not 0: a lane has failed, and has said so to the host

  // For a run on some of the compute units (confined_run.hpp):
  alignas(128) std::uint32_t arrived;  ///< wavefronts that take part and have started
  std::uint32_t units;                 ///< compute units that have asked for a part

  // For the summing kind:
  alignas(128) std::uint32_t working;  ///< wavefronts that have work, and gifts under way
  alignas(128) std::uint64_t sum;      ///< of the wavefronts that have no work any more
  /// In place of `working` in a run on several GPUs. Low half: as `working`. High half: what
  /// `peer_block::working` counts for this GPU. One word, so that a wavefront that finds no other
  /// at work takes the GPU's share of that count only while no gift comes (summing/run_sum.hpp).
  alignas(128) std::uint64_t working_and_held;

  // For ready tasks that all wavefronts share (shared_tasks.hpp):
  alignas(128) std::uint32_t shared_head;  ///< ticket of the next to be taken
  alignas(128) std::uint32_t shared_tail;  ///< ticket of the next to be given

  alignas(128) reserve_state reserve;  ///< of the pool

  alignas(128) leaf_times leaves[1U << task_bits];

  // What the wavefronts did. Each adds its counts when it leaves.
  alignas(128) std::uint64_t tasks;
  std::uint64_t resumed;  ///< frames
  std::uint64_t yields;
  std::uint64_t gifts;       ///< from a wavefront to another
  std::uint64_t given;       ///< tasks in them
  std::uint64_t turns;       ///< of wavefronts
  std::uint64_t busy;        ///< lanes that had work, summed over these turns
  std::uint64_t peer_gifts;  ///< to other GPUs
  std::uint64_t peer_given;  ///< tasks in them
  std::uint64_t peer_taken;  ///< tasks that came from other GPUs
};

/// The sum over all lanes, in lane 0; other lanes get another value. All lanes of the wavefront
/// call it together.
CHANNELS_GPU_INLINE std::uint64_t sum_of_wave(std::uint64_t value) {
  for (unsigned distance = wave_width / 2; distance != 0; distance /= 2) {
    value += of_lane_above(value, distance);
  }
  return value;
}

/// Where a wavefront learns that a gift is in its inbox, or that the run is over. Each is on a
/// sector of memory of its own, so that polls of different wavefronts do not collide.
struct alignas(32) mailbox {
  /// 0: nothing yet; `run_is_over`; otherwise the number of tasks in the inbox.
  std::uint32_t message;
};
inline constexpr std::uint32_t run_is_over = ~std::uint32_t{0};

/// A part of the pool. The wavefronts of a compute unit take memory from the same arena while it
/// lasts: what the unit works on is then in few pages, and its address translation does not miss.
struct alignas(32) pool_arena {
  std::uint32_t taken;  ///< units; more than the arena has, if lanes asked in vain
};

/// What a run tells the host, and the host the run, in pinned memory of the host.
struct host_block {
  std::uint32_t stop;    ///< not 0: the host wants the run to end
  std::uint32_t ended;   ///< not 0: the root's result is there
  std::uint32_t failed;  ///< a `failure`
  std::uint32_t where;   ///< the task that failed
  std::uint32_t level;   ///< its level
  std::uint32_t units;   ///< of the pool, that it wanted
};

struct wave_progress;
struct host_step_state;
struct host_step_rings;

/// Where steps are that the host takes (host_steps.hpp).
struct host_step_words {
  host_step_state* state;  ///< null: the host takes none
  host_step_rings* rings;  ///< in the host's memory, as what follows
  std::byte* slots;
  std::byte* frames;
  std::uint32_t threads;   ///< of the host, that take steps
  std::uint32_t most;      ///< steps that the host should have at once
  std::uint32_t least_ns;  ///< that a step has to take there to be worth the way
  bool forgets;            ///< at the start of a run, how long steps took in the last
};

/// Compute units that a run can tell apart.
inline constexpr std::uint32_t most_compute_units = 1024;

/// The parameters of a run, but for what depends on its tasks. Pointers are into the device's
/// memory, if nothing else is said.
struct run_words {
  control_block* control;
  mailbox* mailboxes;      ///< of each wavefront
  std::uint32_t* hungry;   ///< a bit for each wavefront; one that clears it has to send a gift
  std::uint32_t* inboxes;  ///< of each wavefront: a row of tasks
  std::uint32_t* shared;   ///< tasks that all wavefronts share (shared_tasks.hpp)
  std::uint32_t shared_capacity;
  std::uint32_t* windows;  ///< in place of the work-groups' memory, if that is too small
  std::uint32_t waves;
  std::uint32_t* unit_parts;  ///< a `unit_part` of each compute unit; null: all take part
  std::uint32_t units;        ///< compute units that take part
  std::byte* pool;            ///< frames, and ready tasks beyond the windows
  pool_arena* arenas;         ///< its parts, one after the other; the reserve follows them
  std::uint32_t arena_count;
  std::uint32_t arena_units;  ///< of each
  std::uint32_t reserve_units;
  std::uint32_t force_yield;  ///< the share of requests for room that is denied, in 2^-32
  std::uint32_t seed;
  std::uint32_t root;  ///< the task that is called
  host_block* host;
  std::uint32_t* result;    ///< of the root: in the host's memory, aligned to 16 bytes
  wave_progress* progress;  ///< of each wavefront, in the host's memory
  bool shows_progress;      ///< else the host only wants to know whether there is any
  peer_set peers;           ///< the other GPUs of the run
  host_step_words host_steps;

  /// The unit of the pool where the reserve begins.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t first_of_reserve() const {
    return arena_count * arena_units;
  }
};

/// The parameters of a run, which the kernel gets by value.
template <class Set>
struct run_parameters : run_words {
  alignas(16) std::uint32_t arguments[Set::argument_words];
};

/// Whether a wavefront begins with the task that is called. `Several`: the run is on several GPUs.
template <bool Several, class Set>
CHANNELS_GPU_INLINE bool begins_with_root(const run_parameters<Set>& run, std::uint32_t wave) {
  return wave == 0 && (!Several || run.peers.self == 0);
}

/// Bytes of a unit of the pool.
inline constexpr std::size_t unit_bytes = 16;
/// The most units of a pool: a counter of them does not wrap around when many lanes ask in vain.
inline constexpr std::size_t most_units = std::size_t{1} << 31U;

/// Units of a pool of `units` that are the reserve. A chain of tasks has to fit there: half of a
/// small pool. A large one has more of it than any chain needs.
constexpr std::uint32_t reserve_of(std::uint32_t units) {
  return std::min(units / 2,
                  std::max(units / pool_tuning::reserve_part, pool_tuning::least_reserve_units));
}

inline constexpr std::uint32_t no_unit = ~std::uint32_t{0};
/// One lane calls it: takes `units` of the pool until the run ends. Returns the first of them, or
/// `no_unit` if no arena has as many. Orders no memory.
template <class Set>
CHANNELS_GPU_FUNCTION std::uint32_t take_units_alone(const run_parameters<Set>& run,
                                                     std::uint32_t units) {
  std::uint32_t at = compute_unit() % run.arena_count;
  for (std::uint32_t i = 0; i < run.arena_count; ++i) {
    std::uint32_t& taken = run.arenas[at].taken;
    // Relaxed: no other wavefront has used the memory before.
    if (load<order::relaxed>(&taken) + units <= run.arena_units) {
      const std::uint32_t first_unit = fetch_add<order::relaxed>(&taken, units);
      if (first_unit + units <= run.arena_units) return at * run.arena_units + first_unit;
    }
    at = at + 1 == run.arena_count ? 0 : at + 1;
  }
  return no_unit;
}

/// Whether the arena of this compute unit has more left than its wavefronts may take at once. All
/// lanes of the wavefront call it together.
template <class Set>
CHANNELS_GPU_INLINE bool has_plenty(const run_parameters<Set>& run) {
  // Relaxed: a guess.
  const std::uint32_t taken =
      load<order::relaxed>(&run.arenas[compute_unit() % run.arena_count].taken);
  return of_lane(taken, 0) < run.arena_units / 2;
}

/// As `take_units_alone`, for the wavefront. All lanes call it together and get the same result.
template <class Set>
CHANNELS_GPU_INLINE std::uint32_t take_units(const run_parameters<Set>& run, std::uint32_t units) {
  std::uint32_t start = no_unit;
  if (lane_index() == 0) start = take_units_alone(run, units);
  return of_lane(start, 0);
}

}  // namespace channels::gpu::detail
