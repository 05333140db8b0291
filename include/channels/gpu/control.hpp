#pragma once

#include "channels/gpu/device_atomic.hpp"

/// What the lanes of a run share in the memory of the device.
namespace channels::gpu::detail {

/// Why a run was stopped.
enum class failure : std::uint32_t {
  none,
  stack,    ///< a lane's stack is full; `where` is the task, `level` its level
  frames,   ///< so is its memory for frames that children see
  room,     ///< a task wants more children at once than a lane has room for
  points,   ///< a task's point does not fit
  lost,     ///< a lane has waited too long for another that had only to write a word
  stopped,  ///< the host asked for it
};

/// Words of the run as a whole.
struct control_block {
  alignas(128) std::uint32_t failed;  ///< not 0: a lane has failed, and has said so to the host

  // What the lanes did, added up when they leave.
  alignas(128) std::uint64_t tasks;
  std::uint64_t resumed;
  std::uint64_t yields;
  std::uint64_t offered;  ///< gifts to other wavefronts
  std::uint64_t handed;   ///< gifts within a wavefront
  std::uint64_t left;     ///< stacks that waited for a child elsewhere
  std::uint64_t turns;    ///< of wavefronts
  std::uint64_t busy;     ///< lanes that had work in these turns
};

/// Where a wavefront gets a gift from another, or learns that the run is over. On a sector of its
/// own, so that those who wait do not wait for each other.
struct alignas(32) mailbox {
  /// 0: nothing yet. Else the gift's index and one, and in the upper half its generation.
  std::uint64_t letter;
};
inline constexpr std::uint64_t run_is_over = ~std::uint64_t{0};

/// 32 wavefronts, a bit for each that wants a gift: whoever clears the bit has to send one.
struct alignas(32) hungry_word {
  std::uint32_t bits;
};

/// A child that its parent's lane gives away, in memory that all lanes see. A wavefront has some,
/// for ever; `state` counts how often one was used, so that a late reader of a mailbox finds out.
template <class Set>
struct gift {
  /// The lowest three bits of `state` say how far it is, the others are the generation.
  enum : std::uint32_t {
    free,
    offered,
    begun,
    awaited,  ///< begun, and its parent's stack waits for it: whoever ends it goes on with that
    done
  };
  static constexpr std::uint32_t how = 7;

  std::uint32_t state;
  std::uint32_t task;
  std::uint32_t level;
  // Of the stack that waits: where it is, its words, the level of its next child, how many wait on
  // it.
  std::uint32_t region;
  std::uint32_t size;
  std::uint32_t parent_level;
  std::uint32_t parent_waiting;
  std::uint32_t parent_frames;  // bytes of frames
  alignas(16) std::uint32_t result[Set::result_words];
  alignas(8) std::uint32_t arguments[Set::argument_words];
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

/// What a run is given. Passed to the kernel by value.
template <class Set>
struct run_parameters {
  control_block* control;
  mailbox* mailboxes;   ///< of each wavefront
  hungry_word* hungry;  ///< a bit of each wavefront
  std::uint32_t waves;
  gift<Set>* gifts;             ///< each wavefront's one after the other
  std::uint32_t* windows;       ///< if they do not fit the memory of a work-group
  std::uint32_t* stacks;        ///< what is below the windows, region after region
  std::uint32_t stack_words;    ///< of each region
  std::uint32_t* free_regions;  ///< of each wavefront: a bit for each
  std::uint32_t* free_gifts;    ///< likewise
  std::byte* frames;            ///< that children may see, region after region
  std::uint64_t frame_bytes;    ///< of each region
  std::uint32_t force_yield;    ///< of 2^32: how often room is denied although there is some
  std::uint32_t seed;
  std::uint32_t root;  ///< the task that is called
  alignas(16) std::uint32_t arguments[Set::argument_words];
  host_block<Set>* host;
};

}  // namespace channels::gpu::detail
