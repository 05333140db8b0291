#pragma once

#include "channels/config.hpp"  // CHANNELS_CXX20
#if CHANNELS_CXX20

#include <memory>       // shared_ptr
#include <new>          // placement
#include <type_traits>  // conditional_t
#include <typeindex>    // type_index
#include <utility>      // move
#include <vector>       // vector

#include "channels/code_here.hpp"
#include "channels/detail/device.hpp"
#include "channels/detail/model.hpp"
#include "channels/runtime.hpp"
#include "channels/task_traits.hpp"

namespace channels {

namespace detail {

/// Enters tasks and all that they spawn into a graph: for each, a stack of elements with its
/// pre-spawn node and a stack of frames with its post-spawn node.
template <readiness Rule, class Code>
class task_registry {
 public:
  explicit task_registry(graph_model& model, std::uint32_t capacity)
      : model_(model), capacity_(capacity) {}

  /// Enters `Task` if it is new. Returns the number of the stack of its elements; the next number
  /// is the stack of its frames.
  template <task Task>
  std::uint32_t add() {
    for (const known_task& known : tasks_) {
      if (known.type == typeid(Task)) return known.id;
    }
    const auto id = static_cast<std::uint32_t>(model_.stacks.size());
    tasks_.push_back({typeid(Task), id});
    model_.allocates = model_.allocates || task_traits<Task>::allocates;

    stack_model work = make_stack<typename Code::template element<Task, Rule>>(Task::name);
    work.levels = true;
    work.capacity = capacity_;
    stack_model frames =
        make_stack<typename Code::template frame<Task, Rule>>(std::string(Task::name) + ".cont");
    frames.levels = true;
    frames.frames = true;
    frames.control = Rule == readiness::levelized;
    frames.capacity = capacity_;
    const auto node = static_cast<int>(model_.nodes.size());
    work.consumer = node;
    frames.consumer = node + 1;
    model_.stacks.push_back(std::move(work));
    model_.stacks.push_back(std::move(frames));

    model_.nodes.push_back({Task::name, id, {}, nullptr, nullptr});
    model_.nodes.push_back({std::string(Task::name) + ".cont", id + 1, {}, nullptr, nullptr});
    const auto first = static_cast<std::size_t>(node);
    Code::template give_code<Task, Rule>(model_.nodes[first], model_.nodes[first + 1]);
    std::vector<output_model> outputs{{id + 1, 0, 1}};
    add_spawned<Task>(outputs, typename Task::spawns{});
    model_.nodes[first].outputs = outputs;
    outputs[0].bound = 0;  // a continuation has its frame already
    model_.nodes[first + 1].outputs = std::move(outputs);
    return id;
  }

 private:
  template <class Task, class... Spawned>
  void add_spawned(std::vector<output_model>& outputs, task_list<Spawned...> /*spawned*/) {
    (outputs.push_back({add<Spawned>(), 1, task_traits<Task>::expected_spawns}), ...);
  }

  graph_model& model_;
  std::uint32_t capacity_;
  struct known_task {
    std::type_index type;
    std::uint32_t id;
  };
  std::vector<known_task> tasks_;  // they are few, and Clang 15 for HIP crashes on a map
};

/// The type of `Task`'s result, or a byte if it has none.
template <task Task>
using result_of = std::conditional_t<std::is_void_v<typename Task::result_type>, char,
                                     typename Task::result_type>;

/// Where a call's result goes. The type is the task's own: files of a C program may have different
/// structures with one name, and the linker must not join instances of templates for them.
template <task Task>
struct result_box {
  result_of<Task> value{};
};

/// The graph of a call of `Task`: its root element is pushed, and the result goes to `result`.
/// `capacity`: elements of each channel.
template <task Task, readiness Rule, class Code = host_node_code>
std::shared_ptr<graph_model> make_call(const typename Task::arguments& arguments,
                                       std::shared_ptr<result_box<Task>> result,
                                       std::uint32_t capacity) {
  auto model = std::make_shared<graph_model>();
  model->name = Task::name;
  task_registry<Rule, Code> registry(*model, capacity);
  const std::uint32_t root = registry.template add<Task>();
  typename Code::template element<Task, Rule> e{};
  e.arguments = arguments;
  if constexpr (!std::is_void_v<typename Task::result_type>)
    e.up().slot = result ? &result->value : nullptr;
  model->keep = std::move(result);
  const auto* const bytes = reinterpret_cast<const std::byte*>(&e);
  model->stacks[root].pushed.assign(bytes, bytes + sizeof e);
  return model;
}

/// Calls `Task` with the nodes that `Code` compiles. `policy`: null for that of the settings.
/// `worth`: the predicate of every channel; if it is empty, all that is ready is worth a dispatch.
template <task Task, class Code>
typename Task::result_type call_with(runtime& on, const typename Task::arguments& arguments,
                                     std::shared_ptr<const scheduling_policy> policy = nullptr,
                                     const predicate& worth = {}) {
  // The run owns it too: a kernel node that never returns may still write to it.
  const std::shared_ptr<void> memory = on.on().make_shared_memory(sizeof(result_box<Task>));
  const std::shared_ptr<result_box<Task>> result(memory, new (memory.get()) result_box<Task>());
  const settings& options = on.options();
  const std::shared_ptr<graph_model> model =
      options.rule == readiness::levelized
          ? make_call<Task, readiness::levelized, Code>(arguments, result, options.capacity)
          : make_call<Task, readiness::counted, Code>(arguments, result, options.capacity);
  if (worth) {
    for (stack_model& s : model->stacks) s.worth = worth;
  }
  on.start(model, std::move(policy));
  on.wait();
  if constexpr (!std::is_void_v<typename Task::result_type>) return result->value;
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
  const auto model =
      options.rule == readiness::levelized
          ? detail::make_call<Task, readiness::levelized>({}, nullptr, options.capacity)
          : detail::make_call<Task, readiness::counted>({}, nullptr, options.capacity);
  return detail::minimum_memory(*model, options, levels);
}

}  // namespace channels

#endif
