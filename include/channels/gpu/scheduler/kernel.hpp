#pragma once

#include "channels/gpu/port/launch.hpp"
#include "channels/gpu/scheduler/gifts.hpp"
#include "channels/gpu/scheduler/lane_private/turns.hpp"
#include "channels/gpu/scheduler/peer_gifts.hpp"
#include "channels/gpu/scheduler/pooled/turns.hpp"
#include "channels/gpu/scheduler/shared_tasks.hpp"
#include "channels/gpu/scheduler/summing/turns.hpp"
#include "channels/gpu/scheduler/wave_progress.hpp"

namespace channels::gpu::detail {

/// Words and bytes of a work-group's memory that a wavefront of `width` lanes uses, and whether a
/// work-group may have as much.
template <class Set>
constexpr CHANNELS_DEVICE std::uint32_t group_memory_words(unsigned width) {
  std::uint32_t all = ready_stack<Set>::words(width);
  if constexpr (Set::summing) {
    all += summing_turns<Set>::words(width) + summing_ring<Set>::words_for(width);
  } else {
    all += pooled_turns<Set>::leaf_words + frame_store<Set>::words(width) +
           joins<Set>::words(width) + lane_heap<Set>::words(width);
    if constexpr (Set::lane_private) all += lane_private_stack<Set>::words_for(width);
  }
  return (all + 3) / 4 * 4;  // what follows is aligned to 16 bytes
}
template <class Set>
constexpr CHANNELS_DEVICE std::size_t group_memory_bytes(unsigned width) {
  return group_memory_words<Set>(width) * sizeof(std::uint32_t);
}
template <class Set>
constexpr CHANNELS_DEVICE bool fits_group_memory(unsigned width) {
  return group_memory_bytes<Set>(width) <= most_group_memory;
}

/// Adds the sum of all lanes' values to `total`. All lanes of the wavefront call it together.
/// Orders no memory.
CHANNELS_GPU_INLINE void count_in(std::uint64_t* total, std::uint64_t value) {
  const std::uint64_t sum = sum_of_wave(value);
  if (lane_index() == 0 && sum != 0) fetch_add<order::relaxed>(total, sum);
}

/// Runs before every run: no wavefront is hungry, no gift is under way, and the pool is free except
/// for the outermost frame.
template <class Set>
CHANNELS_GPU_KERNEL prepare(const CHANNELS_GPU_PARAMETER run_parameters<Set> run) {
  const std::uint32_t i = item_index();
  if (i < run.waves) run.mailboxes[i].message = 0;
  if (i < (run.waves + 31) / 32) run.hungry[i] = 0;
  if (run.unit_parts != nullptr && i < most_compute_units) run.unit_parts[i] = 0;
  if (i < run.arena_count) run.arenas[i].taken = i == 0 ? frame_units<Set> : 0;
  if constexpr (Set::shares_tasks) {
    if (i < most_compute_units) shared_tasks<Set>::clear(run, i, most_compute_units);
  }
  if (i == 0) {
    run.control->failed = 0;
    run.control->arrived = 0;
    run.control->units = 0;
    run.control->working = 1;
    run.control->sum = 0;
    run.control->working_and_held = run.peers.self == 0 ? 1 | std::uint64_t{1} << 32U : 0;
    run.control->reserve.taken = 0;
    reinterpret_cast<frame_header*>(run.pool)->joins = 1 | shared_frame;
  }
  if constexpr (Set::any_host_steps) {
    if (i < most_compute_units) host_steps<Set>::begin_run(run, i, most_compute_units);
  }
  if (run.peers.count > 1) {
    // No GPU's wavefronts begin before this has ended on all GPUs.
    peer_block& own = *run.peers.blocks[run.peers.self];
    if (i < peer_lines) own.lines[i].message = 0;
    if (i == 0) {
      own.wants = 0;
      own.working = 1;
      own.sum = 0;
    }
  }
}

/// Takes turns, with a look at the other wavefronts around each, until the run is over. Adds the
/// wavefront's counts to the run's then. All lanes of the wavefront call it together.
/// `Several`: the run is on several GPUs.
template <bool Several, class Set, class Turns>
CHANNELS_GPU_INLINE void take_turns(lane_state<Set>& lane, Turns& own) {
  std::conditional_t<Set::shares_tasks, shared_tasks<Set>, gifts<Set, Several>> others(lane);
  for (;;) {
    others.begin_look(own);
    if constexpr (Set::any_host_steps) {
      if (own.take_back_from_host()) {
        others.end_run();
        break;
      }
    }
    if (!own.has_work()) {
      nap();
    } else if (own.take()) {
      others.end_run();
      break;
    }
    if (!others.end_look(own)) break;
    tell_progress_at_times(lane, others.looks(), own.has_work());
  }
  if (lane.run.shows_progress) tell_progress(lane, false);
  control_block& c = *lane.run.control;
  count_in(&c.tasks, lane.tasks);
  count_in(&c.resumed, lane.resumed);
  count_in(&c.yields, lane.yields);
  count_in(&c.busy, own.busy);
  count_in(&c.turns, lane_index() == 0 ? own.taken : 0);
  count_in(&c.gifts, lane_index() == 0 ? others.sent : 0);
  count_in(&c.given, lane_index() == 0 ? others.given : 0);
}

/// The persistent kernel. Work-groups have one wavefront, because wavefronts are independent. The
/// host may launch as many groups as the device can hold at once, and no more. `Several`: each GPU
/// of the run runs this; a kernel of its own, so that one GPU alone pays nothing for it.
template <class Set, bool Several = false>
CHANNELS_GPU_KERNEL run_tasks(const CHANNELS_GPU_PARAMETER run_parameters<Set> run) {
  static_assert(!Several || Set::summing, "only tasks of the summing kind travel between GPUs");
  const std::uint32_t wave = number_of_wave(run);
  if (wave == no_wave) return;
  std::uint32_t* memory =
      fits_group_memory<Set>(wave_width)
          ? kept_group_memory()
          : run.windows + std::size_t{wave} * group_memory_words<Set>(wave_width);
  // This part is first because it has to be aligned.
  auto* const aligned = memory;
  if constexpr (Set::summing) {
    memory += summing_ring<Set>::words_for(wave_width);
  } else {
    memory += pooled_turns<Set>::leaf_words;
  }
  // Separate objects, not members of one another: so each of their members can be in a register.
  ready_stack<Set> ready(run, memory);
  memory += ready_stack<Set>::words(wave_width);
  frame_store<Set> frames(run, memory);
  if constexpr (!Set::summing) memory += frame_store<Set>::words(wave_width);
  lane_heap<Set> heap(run, memory);
  if constexpr (!Set::summing) memory += lane_heap<Set>::words(wave_width);
  lane_state<Set> lane(run, ready, frames, heap, wave);
  const bool has_root = begins_with_root<Several>(run, wave);
  if (has_root) {
    ready_task<Set> root;
    root.what = run.root;
    if constexpr (!Set::summing) {
      root.parent = outermost_frame;
      root.to = run.result;
    }
    for (std::uint32_t i = 0; i < Set::argument_words; ++i) root.arguments[i] = run.arguments[i];
    ready.add(1, root);  // the window has room for it
  }
  if constexpr (Set::summing) {
    summing_ring<Set> ring(aligned, fits_group_memory<Set>(wave_width)
                                        ? kept_group_memory(summing_ring<Set>::first_word())
                                        : aligned + summing_ring<Set>::first_word());
    summing_work<Set> work(lane, ring);
    summing_turns<Set, Several> own(work, memory);
    if (has_root) own.begin_with_root();
    take_turns<Several>(lane, own);
  } else {
    joins<Set> joined(lane, memory);
    if constexpr (Set::lane_private) {
      lane_private_stack<Set> stack(memory + joins<Set>::words(wave_width));
      lane_private_work<Set> work(lane, stack);
      lane_private_turns<Set> own(work, joined);
      take_turns<Several>(lane, own);
    } else {
      pooled_turns<Set> own(lane, joined, reinterpret_cast<std::byte*>(aligned));
      take_turns<Several>(lane, own);
    }
  }
}

}  // namespace channels::gpu::detail
