#pragma once

#include <cstdint>  // uint32_t
#include <cstring>  // memcpy

#include "channels/gpu/port/launch.hpp"
#include "channels/gpu/scheduler/host_step_lane.hpp"
#include "channels/gpu/scheduler/kernel.hpp"

namespace channels::gpu::detail {

/// With what a kernel is started.
struct launch_shape {
  unsigned groups;
  unsigned items;            ///< of a group
  std::size_t group_memory;  ///< bytes
  stream_handle stream;
};

/// The code of a set of tasks, as the host's part of the scheduler knows it: that part is the same
/// for all tasks.
struct set_code {
  stacks kept_in;
  bool shares_tasks;
  bool travels;                  ///< its tasks may go to other GPUs
  std::uint32_t argument_words;  ///< the most, with what a leaf needs
  std::uint32_t result_words;
  std::uint32_t ready_words;           ///< of a ready task
  std::uint32_t frame_units;           ///< of the pool, for the largest frame
  std::size_t host_step_bytes;         ///< of a slot; 0: the host takes no steps
  void (*host_step)(std::byte* slot);  ///< takes one
  bool host_frames;                    ///< frames may be in the host's memory
  std::uint32_t size;                  ///< tasks
  const char* const* names;
  /// Bytes of a work-group's memory that a wavefront of `width` lanes uses.
  std::size_t (*group_memory)(unsigned width);
  /// Those for runs on one GPU, and for runs on several if the tasks may travel.
  const void* (*kernel)(bool several);
  /// `arguments`: of the root, `argument_words`.
  void (*prepare)(const run_words& run, const std::uint32_t* arguments, const launch_shape& how);
  void (*start)(bool several, const run_words& run, const std::uint32_t* arguments,
                const launch_shape& how);

  [[nodiscard]] const char* name(std::uint32_t number) const {
    return number < size ? names[number] : "?";
  }
};

/// Whether runs of a set may be on several GPUs. `Known`: the reach of all its tasks, if they do
/// not say more.
template <class Set, reach Known>
inline constexpr bool set_travels =
    Set::summing && (Known != reach::device || Set::least_reach != reach::device);

/// The functions of `set_code`. `Travels`: the set's tasks may go to other GPUs.
template <class Set, bool Travels>
struct set_functions {
  static std::size_t group_memory(unsigned width) { return group_memory_bytes<Set>(width); }
  static auto kernel_for(bool several) {
    if constexpr (Travels) {
      if (several) return &run_tasks<Set, true>;
    }
    (void)several;
    return &run_tasks<Set, false>;
  }
  static const void* kernel(bool several) {
    return reinterpret_cast<const void*>(kernel_for(several));
  }
  static run_parameters<Set> parameters(const run_words& run, const std::uint32_t* arguments) {
    run_parameters<Set> all{};
    static_cast<run_words&>(all) = run;
    std::memcpy(all.arguments, arguments, sizeof all.arguments);
    return all;
  }
  static void prepare(const run_words& run, const std::uint32_t* arguments,
                      const launch_shape& how) {
    launch(detail::prepare<Set>, how.groups, how.items, how.group_memory, how.stream,
           parameters(run, arguments));
  }
  static void start(bool several, const run_words& run, const std::uint32_t* arguments,
                    const launch_shape& how) {
    launch(kernel_for(several), how.groups, how.items, how.group_memory, how.stream,
           parameters(run, arguments));
  }
};

template <class Set, bool Travels>
inline constexpr set_code code_of_set{Set::kept_in,
                                      Set::shares_tasks,
                                      Travels,
                                      Set::argument_words,
                                      Set::result_words,
                                      ready_task<Set>::words,
                                      frame_units<Set>,
                                      Set::any_host_steps ? sizeof(host_step<Set>) : 0,
                                      host_step_of<Set>(),
                                      Set::any_host_steps && !Set::frames_go_to_host,
                                      Set::size,
                                      Set::names,
                                      &set_functions<Set, Travels>::group_memory,
                                      &set_functions<Set, Travels>::kernel,
                                      &set_functions<Set, Travels>::prepare,
                                      &set_functions<Set, Travels>::start};

}  // namespace channels::gpu::detail
