#pragma once

#include <cstdint>      // uint32_t
#include <cstring>      // memcpy
#include <type_traits>  // is_void_v

#include "channels/detail/element_code.hpp"
#include "channels/detail/kernel_code.hpp"
#include "channels/readiness.hpp"
#include "channels/task.hpp"
#include "channels/task_traits.hpp"

/// Tasks and calls without their types: what builds their graphs is the same for all.
namespace channels {
class runtime;
}

namespace channels::detail {

/// A task: what its channels hold, and the code of its nodes.
struct task_code {
  const char* name;
  bool allocates;
  bool counted;  ///< frames are for the counted rule, and not enqueued
  std::uint32_t expected_spawns;
  element_code elements;
  element_code frames;
  kernel_code enter;
  kernel_code resume;
  const task_code* const* spawned;  ///< the tasks that it may spawn, and null behind the last
};

/// `Code`: host_node_code, or a GPU's graph_code.
template <task Task, readiness Rule, class Code, class Spawned = typename Task::spawns>
struct task_code_of;
template <task Task, readiness Rule, class Code, class... Spawned>
struct task_code_of<Task, Rule, Code, task_list<Spawned...>> {
  static const task_code* const spawned[sizeof...(Spawned) + 1];
  static const task_code value;
};
template <task Task, readiness Rule, class Code, class... Spawned>
constinit const task_code* const
    task_code_of<Task, Rule, Code, task_list<Spawned...>>::spawned[sizeof...(Spawned) + 1] = {
        &task_code_of<Spawned, Rule, Code>::value..., nullptr};
template <task Task, readiness Rule, class Code, class... Spawned>
constinit const task_code task_code_of<Task, Rule, Code, task_list<Spawned...>>::value{
    Task::name,
    task_traits<Task>::allocates,
    Rule == readiness::counted,
    task_traits<Task>::expected_spawns,
    code_of_element<typename Code::template element<Task, Rule>>,
    code_of_element<typename Code::template frame<Task, Rule>>,
    Code::template enter<Task, Rule>(),
    Code::template resume<Task, Rule>(),
    spawned};

/// A call: how a root element is made of the task's arguments and of the place for its result.
struct call_code {
  const char* device;          ///< whose code it is, as `settings::device` names it
  std::uint32_t result_bytes;  ///< 0: none
  const task_code* levelized;
  const task_code* counted;
  void (*make_levelized)(const void* arguments, void* result, void* element);
  void (*make_counted)(const void* arguments, void* result, void* element);

  [[nodiscard]] const task_code& task_for(readiness rule) const {
    return rule == readiness::levelized ? *levelized : *counted;
  }
};

/// None of the three need be aligned.
template <task Task, readiness Rule, class Code>
void make_root(const void* arguments, [[maybe_unused]] void* result, void* element) {
  typename Code::template element<Task, Rule> made{};
  std::memcpy(&made.arguments, arguments, sizeof made.arguments);
  if constexpr (!std::is_void_v<typename Task::result_type>)
    made.up().slot = static_cast<typename Task::result_type*>(result);
  std::memcpy(element, &made, sizeof made);
}

template <task Task, class Code>
inline constexpr call_code code_of_call{Code::device,
                                        bytes_of_result<typename Task::result_type>(),
                                        &task_code_of<Task, readiness::levelized, Code>::value,
                                        &task_code_of<Task, readiness::counted, Code>::value,
                                        &make_root<Task, readiness::levelized, Code>,
                                        &make_root<Task, readiness::counted, Code>};

/// Runs a call with the arguments at `arguments`. Its result goes to `result`. Throws what
/// `runtime::wait` throws.
void run_call(runtime& on, const call_code& call, const void* arguments, void* result);

}  // namespace channels::detail
