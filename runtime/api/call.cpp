#include "channels/call.hpp"

#include <algorithm>  // find
#include <cstdint>    // uint32_t
#include <cstring>    // memcpy, memset
#include <utility>    // move
#include <vector>     // vector

#include "channels/detail/device.hpp"

namespace channels::detail {
namespace {

/// Enters tasks and all that they spawn into a graph: for each, a stack of elements with its
/// pre-spawn node and a stack of frames with its post-spawn node.
class task_registry {
 public:
  task_registry(graph_model& model, std::uint32_t capacity) : model_(model), capacity_(capacity) {}

  /// Enters `task` if it is new. Returns the number of the stack of its elements; the next number
  /// is the stack of its frames.
  std::uint32_t add(const task_code& task) {
    const auto found = std::find(tasks_.begin(), tasks_.end(), &task);
    if (found != tasks_.end()) return static_cast<std::uint32_t>(2 * (found - tasks_.begin()));
    const auto id = static_cast<std::uint32_t>(model_.stacks.size());
    tasks_.push_back(&task);
    model_.allocates = model_.allocates || task.allocates;

    const auto node = model_.nodes.size();
    stack_model work = stack_of(task.elements, task.name);
    work.consumer = static_cast<int>(node);
    stack_model frames = stack_of(task.frames, std::string(task.name) + ".cont");
    frames.frames = true;
    frames.control = !task.counted;
    frames.consumer = static_cast<int>(node) + 1;
    model_.stacks.push_back(std::move(work));
    model_.stacks.push_back(std::move(frames));

    model_.nodes.push_back({task.name, id, {}, task.enter.run, nullptr, task.enter.on_gpu});
    model_.nodes.push_back({std::string(task.name) + ".cont",
                            id + 1,
                            {},
                            task.resume.run,
                            nullptr,
                            task.resume.on_gpu});
    std::vector<output_model> outputs{{id + 1, 0, 1}};
    for (const task_code* const* child = task.spawned; *child != nullptr; ++child)
      outputs.push_back({add(**child), 1, task.expected_spawns});
    model_.nodes[node].outputs = outputs;
    outputs[0].bound = 0;  // a continuation has its frame already
    model_.nodes[node + 1].outputs = std::move(outputs);
    return id;
  }

 private:
  [[nodiscard]] stack_model stack_of(const element_code& code, std::string name) const {
    stack_model s;
    s.name = std::move(name);
    s.take(code);
    s.by_record = true;
    s.levels = true;
    s.capacity = capacity_;
    return s;
  }

  graph_model& model_;
  std::uint32_t capacity_;
  std::vector<const task_code*> tasks_;  // a task's stacks are two
};

}  // namespace

std::shared_ptr<graph_model> make_graph(const call_code& call, readiness rule,
                                        std::uint32_t capacity) {
  const task_code& task = call.task_for(rule);
  auto model = std::make_shared<graph_model>();
  model->name = task.name;
  (void)task_registry(*model, capacity).add(task);
  model->stacks[0].pushed.resize(task.elements.bytes);
  return model;
}

void run_call(runtime& on, const call_code& call, const void* arguments, void* result,
              std::shared_ptr<const scheduling_policy> policy, const predicate& worth) {
  const settings& options = on.options();
  const std::shared_ptr<graph_model> model = make_graph(call, options.rule, options.capacity);
  std::byte* const root = model->stacks[0].pushed.data();
  const auto make = options.rule == readiness::levelized ? call.make_levelized : call.make_counted;
  // The run owns it, too: a kernel node that never returns may still write to it.
  std::shared_ptr<void> memory;
  if (call.result_bytes != 0) {
    memory = on.on().make_shared_memory(call.result_bytes);
    std::memset(memory.get(), 0, call.result_bytes);
  }
  make(arguments, memory.get(), root);
  model->keep = memory;
  if (worth) {
    for (stack_model& s : model->stacks) s.worth = worth;
  }
  on.start(model, std::move(policy));
  on.wait();
  if (call.result_bytes != 0) std::memcpy(result, memory.get(), call.result_bytes);
}

void run_call(runtime& on, const call_code& call, const void* arguments, void* result) {
  run_call(on, call, arguments, result, nullptr, {});
}

}  // namespace channels::detail
