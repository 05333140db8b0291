#pragma once

#include "channels/detail/kernel_code.hpp"
#include "channels/gpu/channels/task_lane.hpp"
#include "channels/gpu/device/batch_launch.hpp"
#include "channels/gpu/port/device_name.hpp"

/// The code of tasks' nodes, for calls through channels.
namespace channels::gpu::detail {

template <task Task, readiness Rule>
void launch_enter(const void* /*arguments*/, const void* batch) {
  const auto& b = *static_cast<const batch_launch*>(batch);
  constexpr std::size_t memory = leaf_bytes<Task> * batch_waves;
  static_assert(memory <= std::size_t{48} << 10U, "leaf_memory is at most 12 KB");
  launch(run_enter<Task, Rule>, b.groups, b.items, memory, b.stream, b.parameters, b.waves);
}
template <task Task, readiness Rule>
void launch_resume(const void* /*arguments*/, const void* batch) {
  const auto& b = *static_cast<const batch_launch*>(batch);
  launch(run_resume<Task, Rule>, b.groups, b.items, 0, b.stream, b.parameters, b.waves);
}

/// No code for kernels that stay: the aggregator is on the host, and each batch is a kernel of its
/// own. persistent_graph_code.hpp has the other kind.
struct no_persistent_code {
  template <class Node, class Body, class... Arguments>
  static constexpr const void* of_node = nullptr;
  template <task Task, readiness Rule>
  static constexpr const void* of_enter = nullptr;
  template <task Task, readiness Rule>
  static constexpr const void* of_resume = nullptr;
};

/// Tasks on the GPU that this file is compiled for. `Persistent`: the code for kernels that stay.
template <class Persistent>
struct task_node_code {
  static constexpr const char* device = device_name;

  template <task Task, readiness Rule>
  using element = channel_element<Task, Rule>;
  template <task Task, readiness Rule>
  using frame = channel_record<Task, Rule>;

  /// The code of a task's nodes. A task that writes to more channels than a batch can have gets
  /// none, and the device refuses it with a message.
  template <task Task, readiness Rule>
  static constexpr channels::detail::kernel_code enter() {
    return code_of<Task, entering<Task, Rule>>();
  }
  template <task Task, readiness Rule>
  static constexpr channels::detail::kernel_code resume() {
    return code_of<Task, resuming<Task, Rule>>();
  }

 private:
  template <task Task, readiness Rule>
  struct entering {
    static constexpr channels::detail::gpu_code code{device_name, &launch_enter<Task, Rule>,
                                                     Persistent::template of_enter<Task, Rule>};
  };
  template <task Task, readiness Rule>
  struct resuming {
    static constexpr channels::detail::gpu_code code{device_name, &launch_resume<Task, Rule>,
                                                     Persistent::template of_resume<Task, Rule>};
  };
  template <class Task, class Node>
  static constexpr channels::detail::kernel_code code_of() {
    if constexpr (Task::spawns::size < most_outputs) {
      return {nullptr, &Node::code};
    } else {
      return {};
    }
  }
};

}  // namespace channels::gpu::detail
