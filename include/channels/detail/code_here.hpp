#pragma once
#define CHANNELS_DETAIL_CODE_HERE

#include "channels/detail/model.hpp"
#include "channels/host/task_kernel.hpp"
#include "channels/settings.hpp"
#include "channels/task.hpp"

/// For what a file's kernel nodes are compiled: the host alone, or, where `channels/gpu.hpp`
/// is included before the other headers, a GPU as well.
namespace channels::detail {

/// The host alone.
struct host_code {
  static constexpr const char* device = "host";

  template <task Task, readiness Rule>
  using element = host::task_element<Task, Rule>;
  template <task Task, readiness Rule>
  using frame = host::frame_record<Task, Rule>;

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

#if !defined(CHANNELS_GRAPHS_ON_GPU)
using code_here = host_code;
#endif

}  // namespace channels::detail

#if defined(CHANNELS_GRAPHS_ON_GPU)
#include "channels/gpu/device/graph_code.hpp"

namespace channels::detail {
namespace {
struct this_file;
}
using code_here = gpu::detail::graph_code<this_file>;
}  // namespace channels::detail
#endif
