#pragma once

#include <cstring>      // memcpy
#include <tuple>        // apply
#include <type_traits>  // is_trivially_copyable_v
#include <utility>      // declval
#include <vector>       // vector

#include "channels/gpu/device/graph_code.hpp"
#include "channels/gpu/device/persistent_code.hpp"

/// The code of kernel nodes for kernels that stay (persistent_code.hpp).
namespace channels::gpu::detail {

template <class Node, class Body, class... Arguments>
struct persistent_graph_node {
  struct closure {
    Body body;
    argument_list<decltype(for_kernel(std::declval<const Arguments&>(),
                                      std::declval<std::uint32_t&>()))...>
        arguments;
  };
  static CHANNELS_GPU_FUNCTION void run(const batch_parameters& b, const batch_place& at,
                                        const void* with) {
    const auto& c = *static_cast<const closure*>(with);
    batch_lane lane(b, at);
    c.arguments.pass(
        [&](const auto&... a) { run_elements<Node>(lane, c.body, for_lane(lane, a)...); });
  }
  static void close(const void* arguments, std::vector<std::byte>& to) {
    using host_closure = typename host::node_kernel<Node, Body, Arguments...>::closure;
    const auto& c = *static_cast<const host_closure*>(arguments);
    std::uint32_t output = 0;
    std::apply(
        [&](const Arguments&... a) {
          static_assert(std::is_trivially_copyable_v<closure>,
                        "what a kernel node is given on a GPU is plain data");
          static_assert(alignof(closure) <= most_closure_alignment);
          // Braces: outputs are numbered from left to right.
          const closure made{c.body, {for_kernel(a, output)...}};
          to.resize(sizeof made);
          std::memcpy(to.data(), &made, sizeof made);
        },
        c.arguments);
  }
};
template <task Task, readiness Rule>
struct persistent_enter {
  static CHANNELS_GPU_FUNCTION void run(const batch_parameters& b, const batch_place& at,
                                        const void* /*with*/) {
    batch_lane lane(b, at);
    enter_elements<Task, Rule>(lane);
  }
};
template <task Task, readiness Rule>
struct persistent_resume {
  static CHANNELS_GPU_FUNCTION void run(const batch_parameters& b, const batch_place& at,
                                        const void* /*with*/) {
    batch_lane lane(b, at);
    resume_frames<Task, Rule>(lane);
  }
};

/// For `graph_code`. `File`: a type of the file that includes this, since kernels of one file must
/// not call functions of another's.
template <class File>
struct persistent_graph_code {
 private:
  template <class Code, auto Close, std::size_t LeafBytes>
  static constexpr persistent_code code_of{&kernel_of<File>, &address_of<File, Code>, Close,
                                           LeafBytes};

 public:
  template <class Node, class Body, class... Arguments>
  static constexpr const void* of_node =
      &code_of<persistent_graph_node<Node, Body, Arguments...>,
               &persistent_graph_node<Node, Body, Arguments...>::close, 0>;
  template <task Task, readiness Rule>
  static constexpr const void* of_enter =
      &code_of<persistent_enter<Task, Rule>, nullptr, leaf_bytes<Task>>;
  template <task Task, readiness Rule>
  static constexpr const void* of_resume = &code_of<persistent_resume<Task, Rule>, nullptr, 0>;
};

}  // namespace channels::gpu::detail
