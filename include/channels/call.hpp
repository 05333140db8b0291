#pragma once

#include "channels/config.hpp"  // CHANNELS_CXX20
#if CHANNELS_CXX20

#include <memory>       // shared_ptr
#include <type_traits>  // is_same_v, is_void_v
#include <utility>      // move

#include "channels/code_here.hpp"
#include "channels/detail/call_code.hpp"
#include "channels/detail/model.hpp"
#include "channels/runtime.hpp"

namespace channels {

namespace detail {

/// As the other `run_call`. `policy`: null for that of the settings. `worth`: the predicate of
/// every channel; if it is empty, all that is ready is worth a dispatch.
void run_call(runtime& on, const call_code& call, const void* arguments, void* result,
              std::shared_ptr<const scheduling_policy> policy, const predicate& worth);

/// The graph of a call, for `rule`, whose channels have `capacity` elements.
std::shared_ptr<graph_model> make_graph(const call_code& call, readiness rule,
                                        std::uint32_t capacity);

/// Calls `Task` with the nodes that `Code` compiles.
template <task Task, class Code>
typename Task::result_type call_with(runtime& on, const typename Task::arguments& arguments,
                                     std::shared_ptr<const scheduling_policy> policy = nullptr,
                                     const predicate& worth = {}) {
  if constexpr (std::is_void_v<typename Task::result_type>) {
    run_call(on, code_of_call<Task, Code>, &arguments, nullptr, std::move(policy), worth);
  } else {
    typename Task::result_type result{};
    run_call(on, code_of_call<Task, Code>, &arguments, &result, std::move(policy), worth);
    return result;
  }
}

}  // namespace detail

/// Runs `Task` with `arguments` and returns its result, as a function call would. Throws what
/// `runtime::wait` throws.
template <task Task, class Code = detail::code_here>
typename Task::result_type call(runtime& on, const typename Task::arguments& arguments) {
  if constexpr (!std::is_same_v<Code, detail::host_node_code>) {
    if (on.options().device == Code::device) return detail::call_with<Task, Code>(on, arguments);
  }
  return detail::call_with<Task, detail::host_node_code>(on, arguments);
}

/// Bytes of channel memory (`settings::memory`) with which a call of `Task` completes if its spawn
/// tree, the root included, has at most `levels` levels, whatever its width: the stated minimum.
/// Most runs complete in half of it. Tasks that allocate need as much if one frame of each level
/// together have a quarter of it.
template <task Task>
[[nodiscard]] std::size_t minimum_memory(const settings& options, std::uint32_t levels) {
  const auto model = detail::make_graph(detail::code_of_call<Task, detail::host_node_code>,
                                        options.rule, options.capacity);
  return detail::minimum_memory(*model, options, levels);
}

}  // namespace channels

#endif
