#pragma once

#include "channels/gpu/giving.hpp"

namespace channels::gpu::detail {

/// Whether the windows of a wavefront of so many lanes fit the memory of a work-group.
template <class Set>
constexpr CHANNELS_DEVICE bool windows_in_group(unsigned width) {
  return lane_stack<Set::reach>::window * sizeof(std::uint32_t) * width <= most_group_memory;
}

/// Steps of a wavefront between two looks at the others: while most of its lanes are idle, while
/// some are, and while none is.
inline constexpr unsigned short_turn = 4;
inline constexpr unsigned middle_turn = 16;
inline constexpr unsigned long_turn = 64;

CHANNELS_GPU_INLINE std::uint64_t sum_of_wave(std::uint64_t value) {
  for (unsigned distance = wave_width / 2; distance != 0; distance /= 2) {
    value += of_lane_above(value, distance);
  }
  return value;
}

CHANNELS_GPU_INLINE void count_in(std::uint64_t* total, std::uint64_t value) {
  const std::uint64_t sum = sum_of_wave(value);
  if (lane_index() == 0 && sum != 0) fetch_add<order::relaxed>(total, sum);
}

/// Makes all gifts and all memory for stacks free.
template <class Parameters>
CHANNELS_GPU_KERNEL prepare(const Parameters run) {
  const std::uint32_t i = item_index();
  if (i == 0) run.control->failed = 0;
  if (i < run.waves * gifts_per_wave) run.gifts[i].state = 0;
  if (i < run.waves * gift_words) run.free_gifts[i] = ~0U;
  if (i < run.waves * region_words) run.free_regions[i] = ~0U;
}

/// The persistent kernel, with work-groups of one wavefront, for none has to do with another: every
/// lane works until the root's result is there. No more groups than are resident at once may be
/// launched.
template <class Set>
CHANNELS_GPU_KERNEL run_tasks(const CHANNELS_GPU_PARAMETER run_parameters<Set> run) {
  using stack = lane_stack<Set::reach>;
  std::uint32_t* const windows =
      windows_in_group<Set>(wave_width)
          ? group_memory()
          : run.windows + std::size_t{wave_index()} * stack::window * wave_width;
  const std::uint32_t number = wave_index() * wave_width + lane_index();
  lane_state<Set> state(run, stack(windows + lane_index(), nullptr, run.stack_words), number);
  state.move_to_region(take_number<region_words>(run.free_regions, wave_index()));
  stepper<Set> own_work(state);
  sharing<Set> others(state);
  std::uint64_t turns = 0;
  std::uint64_t busy = 0;
  if (number == 0) {
    sharing<Set>::push_borrowed(state, no_number);
    state.next_task = run.root;
    state.next_to = {0, run.host->result};
    for (std::uint32_t i = 0; i < Set::argument_words; ++i) {
      state.next_arguments[i] = run.arguments[i];
    }
  }
  for (bool going = true;;) {
    const lane_mask working = others.share(going);
    if (!going) break;
    const unsigned lanes = count(working);
    if (lanes == 0) {
      nap();
      continue;
    }
    const unsigned steps = lanes == wave_width      ? long_turn
                           : 2 * lanes > wave_width ? middle_turn
                                                    : short_turn;
    turns += steps;
    for (unsigned i = 0; i < steps; ++i) {
      busy += state.next_task != no_task || state.stack.size() != 0 ? 1 : 0;
      own_work.step();
    }
  }
  state.give_back_region();
  control_block& c = *run.control;
  count_in(&c.tasks, state.tasks);
  count_in(&c.resumed, state.resumed);
  count_in(&c.yields, state.yields);
  count_in(&c.offered, others.offered);
  count_in(&c.handed, others.handed);
  count_in(&c.left, others.left);
  count_in(&c.busy, busy);
  count_in(&c.turns, lane_index() == 0 ? turns : 0);
}

}  // namespace channels::gpu::detail
