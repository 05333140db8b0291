#pragma once

#include <cstddef>  // size_t
#include <cstdint>  // fixed-width integers

#include "channels/gpu/port/intrinsics.hpp"  // wave_width

/// Every number that tunes a GPU, with its unit and its reason. All of them are compile-time
/// constants, since device code is made for them: to change one, edit it here and compile again.
/// What a user can set at run time is in channels/settings.hpp.
namespace channels::gpu {

// Batches of channels: one kernel each, or work-groups of a persistent kernel.

#if defined(CHANNELS_GPU_EMULATED)
/// Wavefronts of a work-group that runs a batch. The emulated device has few cores.
inline constexpr unsigned batch_waves = 1;
/// Work-groups of a batch's kernel for each compute unit.
inline constexpr unsigned batch_groups = 1;
/// Work-items of a work-group of the persistent kernel: two wavefronts, so that the one that looks
/// for batches is not the one that reports them.
inline constexpr unsigned persistent_items = 2 * detail::wave_width;
/// Work-groups without which the persistent kernel does not start: one aggregates, and two share.
inline constexpr unsigned least_persistent_groups = 3;
/// Bytes of a lane's stack for its share of a group leaf: threads of the CPU have enough.
inline constexpr std::size_t leaf_stack_bytes = 0;
#else
/// Wavefronts of a work-group that runs a batch.
inline constexpr unsigned batch_waves = 4;
/// Work-groups of a batch's kernel for each compute unit: enough to fill it, whatever registers
/// the kernel takes.
inline constexpr unsigned batch_groups = 16;
/// Work-items of a work-group of the persistent kernel. One wavefront of each polls for
/// announcements, so larger groups mean fewer readers of one line.
inline constexpr unsigned persistent_items = 512;
/// Work-groups without which the persistent kernel does not start: one aggregates, one works.
inline constexpr unsigned least_persistent_groups = 2;
/// Bytes of a lane's stack for its share of a group leaf, in the persistent kernel: it calls nodes
/// by address, with few registers for each lane, so that no compiler knows what they need.
inline constexpr std::size_t leaf_stack_bytes = 4096;
#endif

/// Batches that the device runs at once, each in a slot: one that runs, one whose start overlaps
/// it, and what small ones leave free.
inline constexpr std::uint32_t device_batches_in_flight = 4;
/// Announcements of the device aggregator that are kept. One is overwritten only when its batch has
/// ended, so a work-group that finds a later one had no part in those that it missed. More than
/// there are slots, so that the aggregator seldom waits for the place of an old one.
inline constexpr std::uint32_t announcement_ring = 32;
/// Remarks that a batch writes to pinned memory, which the host reads at once. It copies the rest
/// from the device, if there are more.
inline constexpr std::uint32_t pinned_remarks = 4096;
/// Bytes of the nodes' closures that a work-group keeps a copy of in its own memory. Larger
/// closures are read in the device's memory.
inline constexpr std::uint32_t group_closure_bytes = 1024;

/// Waits of lanes, and of the host for lanes.
struct wait_tuning {
  /// Nanoseconds between two looks of a wavefront that has nothing else to do (`nap`), on NVIDIA's
  /// devices: this is the poll interval of a hungry wavefront. Shorter naps take memory bandwidth
  /// from those at work, longer ones keep lanes idle.
  static constexpr unsigned nap_ns = 200;
  /// The same on AMD's devices, in units of 64 clock cycles.
  static constexpr int nap_sleeps = 8;
  /// How long a kernel of a graph may take to end after the run was stopped, before the device
  /// counts as lost.
  static constexpr unsigned batch_grace_ms = 1000;
  /// Likewise for the scheduler's kernel. Longer: its wavefronts read the host's word seldom.
  static constexpr unsigned scheduler_grace_ms = 2000;
};

/// The device aggregator's contact with the host, whose memory is microseconds away.
struct host_contact_tuning {
  /// Turns of the aggregator between two looks at the host's words.
  static constexpr std::uint32_t turns_between_looks = 1024;
  /// Nanoseconds between two messages that say that batches end: the next fence waits for the bus.
  static constexpr std::uint64_t beat_ns = 10'000'000;
};

/// The small-batch worker. To free memory waits for all kernels, at every vendor, so the work-group
/// leaves in time; the host starts another one when it has work again.
struct small_batch_tuning {
  /// Nanoseconds without a batch after which the work-group leaves.
  static constexpr std::uint64_t patience_ns = 1'000'000;
  /// Nanoseconds after which it leaves in any case: others may want to free memory.
  static constexpr std::uint64_t longest_term_ns = 20'000'000;
  /// Small batches of a run that are launched as kernels before the worker is worth its start.
  static constexpr std::uint32_t launches_before_start = 4;
};

// The scheduler of a GPU.

/// How wavefronts exchange gifts (scheduler/gifts.hpp). What a *look* is: between two turns, a
/// wavefront looks at its mailbox, or at the bits of hungry wavefronts.
struct gift_tuning {
  /// Wavefronts whose bits one look sees: a word of 32 bits for each lane, in one read.
  static constexpr std::uint32_t hungry_in_view = detail::wave_width * 32;
  /// While so many of those in view are hungry, a wavefront at work takes shorter turns and looks
  /// more often. Fewer are served soon enough without.
  static constexpr std::uint32_t many_hungry = 32;
  /// Most wavefronts that one look gives to, while most of those in view are hungry. At other times
  /// it gives to one, which then has a whole row of tasks.
  static constexpr unsigned most_receivers = 8;
  /// Tasks at least for each of these receivers.
  static constexpr unsigned least_tasks = 4;
  /// Looks of a wavefront that is not hungry between two reads of its mailbox, which then can only
  /// say that the run is over. A hungry wavefront reads it at every look, after each nap
  /// (`wait_tuning::nap_ns`).
  static constexpr std::uint32_t looks_between_mailbox_reads = 64;

  // Gifts between GPUs (scheduler/peer_gifts.hpp):

  /// Wavefronts of a GPU at most that look whether other GPUs want gifts, each once in a turn,
  /// which takes some 100 us. Each look reads a word of another GPU's memory, some 2 us away.
  static constexpr std::uint32_t most_peer_givers = 1024;
  /// A GPU asks others when one in so many of its wavefronts is hungry.
  static constexpr std::uint32_t part_that_asks = 16;
  /// A GPU that asks with so many of its 32 lines gets tasks before the hungry wavefronts of the
  /// GPU that gives.
  static constexpr std::uint32_t lines_that_come_first = 12;
};

/// Tasks that all wavefronts share (scheduler/shared_tasks.hpp).
struct shared_task_tuning {
  /// Naps of a wavefront that waits for a slot to become free, before the run fails: about 0.2 s.
  static constexpr unsigned most_naps_for_slot = 1U << 20U;
};

/// Steps of tasks that the host takes (scheduler/host_steps.hpp).
struct host_step_tuning {
  /// The most spawns before a sync, of a set of tasks with such steps.
  static constexpr std::uint32_t most_spawns = 16;
  /// Nanoseconds that a step has to take on the host to go there while nothing is known of lanes.
  static constexpr std::uint32_t least_ns = 100'000;
  /// What a core may be faster than a lane, while nothing is known of the host.
  static constexpr std::uint32_t host_speed = 32;
  /// What a page takes to come to the host. Those of an emulated device are there.
#if defined(CHANNELS_GPU_EMULATED)
  static constexpr std::int64_t page_ns = 0;
#else
  static constexpr std::int64_t page_ns = 100'000;
#endif
  /// The way to the host and back.
  static constexpr std::uint32_t way_ns = 20'000;
  /// A step that takes less on the host is short enough for a lane whose frame is there.
  static constexpr std::uint32_t short_ns = 2'000;
  /// A run that takes less than this leaves what it knows of steps to the next.
  static constexpr unsigned short_run_us = 1000;
  /// Steps under way for each core at most. A step then waits for less time than a lane would take.
  static constexpr std::uint32_t steps_of_core = 16;
  /// Turns of a wavefront with work between two looks whether steps have ended.
  static constexpr std::uint32_t turns_between_looks = 16;
  /// How long a thread of the host looks for steps without a pause, and how long it pauses then.
  static constexpr unsigned patience_us = 100;
  static constexpr unsigned pause_us = 40;
};

/// What tasks write to stderr.
struct output_tuning {
  /// Bytes for all messages of a run, in pinned memory of programs that write some.
  static constexpr std::size_t kept_bytes = std::size_t{1} << 20U;
};

/// How wavefronts and the host learn of each other during a run.
struct run_tuning {
  /// Looks between two reads of the host's word that stops a run: one takes some microseconds, and
  /// holds up other reads.
  static constexpr std::uint32_t looks_between_stop_reads = 1024;
  /// Wavefronts that read this word. They tell the others.
  static constexpr std::uint32_t waves_that_read_stop = 4;
  /// Looks between two times that a wavefront tells its progress, if it is shown: about a
  /// millisecond of short tasks. It only writes to the host's memory, and does not wait for it.
  static constexpr std::uint32_t looks_between_progress = 128;
  /// If it is not shown, the host only wants to know whether there is any, also where a look takes
  /// a tenth of a second. Runs of less than a millisecond write nothing.
  static constexpr std::uint32_t looks_between_signs = 256;
  /// How often the host reads the wavefronts' progress: these are a few thousand lines of memory
  /// that the device writes to.
  static constexpr unsigned ms_between_progress_reads = 100;
};

/// Turns of a wavefront (scheduler/*/turns.hpp).
struct turn_tuning {
  /// Steps of a turn, if all lanes have work and no wavefront is hungry: the longer a turn, the
  /// less its end costs.
  static constexpr unsigned steps = 64;
  /// Steps of a turn if others are hungry, or some lanes are idle.
  static constexpr unsigned hurried_steps = steps / 4;
  /// Steps of a lane-private turn in which half of the lanes are idle.
  static constexpr unsigned shortest_steps = steps / 16;
  /// Steps between two counts of the lanes that still work, within a lane-private turn.
  static constexpr unsigned steps_between_counts = 4;
  /// Tasks of one lane at most that the summing kind enters in a row. Lanes look at each other
  /// after a row: a longer one costs less, and keeps idle lanes idle for longer.
  static constexpr std::uint32_t most_tasks_in_row = 12;
  /// Turns in a row in which no task of a wavefront finds room, before it asks for the reserve:
  /// others may take some of what is ready, or free memory, meanwhile.
  static constexpr std::uint32_t most_refusals = 8;
  /// Turns after which a wavefront with much to do tells shared frames that children have ended.
  /// A fence stands beside each time, and makes the compute unit wait for its writes.
  static constexpr std::uint32_t most_turns_before_joins = 16;
  /// Leaves that a wavefront has run with all lanes before it tries to let each lane run one: such
  /// a turn may take some hundred times as long as a leaf. Each further try waits for four times as
  /// many.
  static constexpr std::uint32_t leaves_before_try = 128;
  static constexpr std::uint32_t most_leaf_tries = 3;
};

/// What a wavefront keeps in the memory of its work-group. More of it leaves room for fewer
/// wavefronts on a compute unit.
struct group_memory_tuning {
  /// Words of a lane's ring of ready tasks (summing), if its tasks are small enough for them.
  static constexpr std::uint32_t ring_words = 80;
  /// Tasks of a ring at most, where tasks are small.
  static constexpr std::uint32_t most_ring_tasks = 32;
  /// Words of a lane-private stack at least. It is larger if four of the largest tasks need more.
  static constexpr std::uint32_t least_stack_words = 64;
  /// Rows of ready tasks, each of a wavefront's width: where lanes have work of their own, and
  /// otherwise.
  static constexpr std::uint32_t window_rows_beside_lanes = 2;
  static constexpr std::uint32_t window_rows = 4;
  /// Free frames, in multiples of a wavefront's width. Two are enough for any turn; the others save
  /// accesses to the device's memory.
  static constexpr std::uint32_t free_frame_rows = 4;
  /// Frames that wait to be resumed, and frames whose children have ended and are not told yet, in
  /// multiples of a wavefront's width.
  static constexpr std::uint32_t resumable_rows = 4;
  static constexpr std::uint32_t ended_rows = 2;
};

/// Which sets of tasks may use which kind of stacks (scheduler/task_set.hpp): beyond these a kind
/// would need too much of a lane's registers, or of a work-group's memory.
struct stacks_tuning {
  /// Words of arguments, or of what is kept of a frame, of a task of the summing kind.
  static constexpr std::uint32_t most_summing_words = 16;
  /// Children that a task of the summing kind spawns before it yields.
  static constexpr std::uint32_t most_summing_children = 31;
  /// Words of a frame and all its children on a lane-private stack.
  static constexpr std::uint32_t most_lane_private_words = 64;
  /// Wavefronts of a compute unit that run tasks of the pooled kind without group leaves: what more
  /// of them work on does not fit the second-level cache. Group leaves are long, and more
  /// wavefronts are better there.
  static constexpr int most_pooled_waves = 12;
};

/// Memory of the device for frames and for ready tasks beyond the windows.
struct pool_tuning {
  /// The pool takes `parts_for_tasks` of `parts_of_free` equal parts of what is free on the device,
  /// unless a setting says how much. The program's own memory and what tasks allocate get the rest.
  static constexpr std::uint64_t parts_for_tasks = 2;
  static constexpr std::uint64_t parts_of_free = 5;
  /// Bytes of a pool at most. The emulated device takes them from the host.
#if defined(CHANNELS_GPU_EMULATED)
  static constexpr std::uint64_t most_bytes = std::uint64_t{256} << 20U;
#else
  static constexpr std::uint64_t most_bytes = std::uint64_t{32} << 30U;
#endif
  /// Bytes of a pool at least, if the device has less than was wanted.
  static constexpr std::size_t least_bytes = std::size_t{1} << 20U;
  /// Units of 16 bytes of an arena at least, unless the pool is smaller: 1 MB. A compute unit takes
  /// memory from the same arena while it lasts, so its address translation does not miss.
  static constexpr std::uint32_t least_arena_units = 1U << 16U;
  /// The reserve is this part of a large pool, and at least so many units of 16 bytes: 64 MB.
  static constexpr std::uint32_t reserve_part = 8;
  static constexpr std::uint32_t least_reserve_units = 1U << 22U;
  /// Rows of ready tasks in a page, each of a wavefront's width.
  static constexpr std::uint32_t page_rows = 16;
  /// Pages of a wavefront's stack of ready tasks at most. A power of two, since task numbers wrap
  /// around.
  static constexpr std::uint32_t most_pages = 64;
};

// The memory of compiled programs.

struct program_memory_tuning {
  /// Bytes of a variable that is copied to the device with other small ones; a larger one is a
  /// table. To compare this much takes the host about as long as all else that begins and ends a
  /// run.
  static constexpr std::size_t largest_small_variable = std::size_t{1} << 15U;
  /// Bytes of a thread's stack that are registered beyond its frames, for calls from deeper ones.
  static constexpr std::size_t stack_ahead = std::size_t{64} << 10U;
  /// Bytes for what tasks allocate, where memory is taken at once and not as it is used.
  static constexpr std::uint64_t malloc_bytes = std::uint64_t{256} << 20U;
  /// Bytes of it that get their pages on the device before tasks use them: an H100 takes 5 ms for a
  /// GiB then, and 19 when tasks come to the pages, 60 if it is not known that they are its own.
  static constexpr std::uint64_t malloc_ahead = std::uint64_t{2} << 30U;
  /// Nanoseconds that a task waits for memory, if no other frees any, before the run fails.
#if defined(CHANNELS_GPU_EMULATED)
  static constexpr std::uint64_t longest_malloc_wait_ns = 300'000'000;
#else
  static constexpr std::uint64_t longest_malloc_wait_ns = 2'000'000'000;
#endif
  /// Work-groups for each compute unit that write a table's changes back: enough to fill it.
  static constexpr unsigned table_groups = 4;
};

/// Messages between GPUs (gpu/active_messages).
struct message_tuning {
  /// Messages of a ring, unless the user says otherwise.
  static constexpr std::uint32_t capacity = 2048;
  /// Wavefronts of a work-group that read what arrives, of eight: the others send.
  static constexpr std::uint32_t reading_waves = 4;
  /// Words of messages that a lane that reads has under way at a time.
  static constexpr std::uint32_t words_under_way = 16;
  /// Looks in vain between two looks whether the host has stopped the run.
  static constexpr std::uint32_t looks_between_stops = 256;
  /// Cycles of its clock after which a wavefront that gets somewhere says so to the host: some
  /// 10 ms.
  static constexpr std::uint32_t cycles_between_beats = 1U << 24U;
};

}  // namespace channels::gpu
