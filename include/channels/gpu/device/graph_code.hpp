#pragma once

#include <memory>  // make_unique
#include <tuple>   // tuple, apply
#include <vector>  // vector

#include "channels/detail/model.hpp"
#include "channels/gpu/channels/node_kernel.hpp"
#include "channels/gpu/channels/task_lane.hpp"
#include "channels/gpu/device/channel_device.hpp"
#include "channels/gpu/device/persistent_code.hpp"
#include "channels/host/node_kernel.hpp"
#include "channels/runtime.hpp"

/// The code of kernel nodes for the GPU that this file is compiled for.
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

// The same for persistent kernels.

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

template <class File, class Code, auto Close, std::size_t LeafBytes>
inline constexpr persistent_code code_that_stays{&kernel_of<File>, &address_of<File, Code>, Close,
                                                 LeafBytes};

/// For the host and for this GPU. `File`: a type of the file that includes this, since kernels of
/// one file must not call functions of another's. `Stays`: whether there is code for kernels that
/// stay, too. Without it the aggregator is on the host, and each batch is a kernel of its own.
template <class File, bool Stays = true>
struct graph_code {
  static constexpr const char* device = device_name;

  template <task Task, readiness Rule>
  using element = channel_element<Task, Rule>;
  template <task Task, readiness Rule>
  using frame = channel_record<Task, Rule>;

  template <class Node, class Body, class... Arguments>
  static const channels::detail::gpu_code* node() {
    using persistent = persistent_graph_node<Node, Body, Arguments...>;
    static constexpr channels::detail::gpu_code code{device_name,
                                                     &launch_node<Node, Body, Arguments...>,
                                                     staying<persistent, &persistent::close, 0>()};
    return &code;
  }
  /// Gives a task's nodes their code. A task that writes to more channels than a batch can have
  /// gets none, and the device refuses it with a message.
  template <task Task, readiness Rule>
  static void give_code(channels::detail::node_model& enter, channels::detail::node_model& resume) {
    if constexpr (Task::spawns::size < most_outputs) {
      static constexpr channels::detail::gpu_code entering{
          device_name, &launch_enter<Task, Rule>,
          staying<persistent_enter<Task, Rule>, nullptr, leaf_bytes<Task>>()};
      static constexpr channels::detail::gpu_code resuming{
          device_name, &launch_resume<Task, Rule>,
          staying<persistent_resume<Task, Rule>, nullptr, 0>()};
      enter.on_gpu = &entering;
      resume.on_gpu = &resuming;
    }
  }

 private:
  /// The code of a node for kernels that stay, or null.
  template <class Code, auto Close, std::size_t LeafBytes>
  static constexpr const persistent_code* staying() {
    if constexpr (Stays) {
      return &code_that_stays<File, Code, Close, LeafBytes>;
    } else {
      return nullptr;
    }
  }
};

inline std::unique_ptr<channels::detail::device> make_channel_device(settings& options) {
  auto made = std::make_unique<channel_device>(options);
  options.wavefront_width = made->width();
  if (options.memory == 0) options.memory = detail::memory_for_channels();
  return made;
}
/// Makes the device known to the runtime. What runs before `main` may want that before the
/// constant below is made.
inline bool know_device() {
  static const bool known = channels::detail::register_device(device_name, &make_channel_device);
  return known;
}
inline const bool device_is_known = know_device();

}  // namespace channels::gpu::detail
