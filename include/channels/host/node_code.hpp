#pragma once

#include "channels/detail/kernel_code.hpp"
#include "channels/host/task_kernel.hpp"
#include "channels/readiness.hpp"
#include "channels/task.hpp"

namespace channels::detail {

/// What graphs and calls give their kernel nodes as code, where that is compiled for the host
/// alone. A GPU's `graph_code` has the same members.
struct host_node_code {
  static constexpr const char* device = "host";

  template <task Task, readiness Rule>
  using element = host::task_element<Task, Rule>;
  template <task Task, readiness Rule>
  using frame = host::frame_record<Task, Rule>;

  /// The code of a graph's kernel node for a GPU: none.
  template <class Node, class Body, class... Arguments>
  static constexpr const gpu_code* node() {
    return nullptr;
  }
  /// The code of a task's pre-spawn and post-spawn node.
  template <task Task, readiness Rule>
  static constexpr kernel_code enter() {
    return {&host::task_kernel<Task, Rule>::enter, nullptr};
  }
  template <task Task, readiness Rule>
  static constexpr kernel_code resume() {
    return {&host::task_kernel<Task, Rule>::resume, nullptr};
  }
};

}  // namespace channels::detail
