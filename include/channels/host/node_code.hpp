#pragma once

#include "channels/detail/model.hpp"
#include "channels/host/task_kernel.hpp"
#include "channels/settings.hpp"
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
  /// Gives a task's pre-spawn and post-spawn node their code.
  template <task Task, readiness Rule>
  static void give_code(node_model& enter, node_model& resume) {
    using kernel = host::task_kernel<Task, Rule>;
    enter.run = &kernel::enter;
    resume.run = &kernel::resume;
  }
};

}  // namespace channels::detail
