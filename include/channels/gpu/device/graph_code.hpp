#pragma once

#include <tuple>  // tuple, apply

#include "channels/gpu/channels/node_kernel.hpp"
#include "channels/gpu/device/task_node_code.hpp"
#include "channels/host/node_kernel.hpp"

/// The code of kernel nodes of graphs, and of tasks, for the GPU that this file is compiled for.
namespace channels::gpu::detail {

// What a node was given, for its kernel.

template <class A>
auto for_kernel(const A& a, std::uint32_t& output) {
  if constexpr (channels::detail::is_output<A>) {
    return output_argument<typename A::element_type>{output++};
  } else if constexpr (requires { a.device_parts(); }) {
    using accumulated = typename A::value_type;
    static_assert(std::is_trivially_copyable_v<accumulated>,
                  "on a GPU, an accumulator holds plain data");
    return accumulator_argument<accumulated, std::decay_t<decltype(a.combine())>>{
        a.device_parts(), a.identity(), a.combine()};
  } else {
    return constant_argument<A>{a};
  }
}

template <class Node, class Body, class... Arguments>
void launch_node(const void* arguments, const void* batch) {
  using closure = typename host::node_kernel<Node, Body, Arguments...>::closure;
  const auto& c = *static_cast<const closure*>(arguments);
  const auto& b = *static_cast<const batch_launch*>(batch);
  std::uint32_t output = 0;
  std::apply(
      [&](const Arguments&... a) {
        // Braces: outputs are numbered from left to right.
        const std::tuple<decltype(for_kernel(a, output))...> given{for_kernel(a, output)...};
        std::apply(
            [&](const auto&... k) {
              launch(run_node<Node, Body, std::decay_t<decltype(k)>...>, b.groups, b.items, 0,
                     b.stream, b.parameters, b.waves, c.body, k...);
            },
            given);
      },
      c.arguments);
}

template <class Persistent>
struct graph_code : task_node_code<Persistent> {
  template <class Node, class Body, class... Arguments>
  static const channels::detail::gpu_code* node() {
    static constexpr channels::detail::gpu_code code{
        device_name, &launch_node<Node, Body, Arguments...>,
        Persistent::template of_node<Node, Body, Arguments...>};
    return &code;
  }
};

}  // namespace channels::gpu::detail
