#pragma once

#include <atomic>  // atomic
#include <memory>  // make_shared

#include "channels/graph.hpp"

namespace channels::testing {

/// A run of one element that comes back again and again until it is told to end.
struct endless {
  static constexpr auto body = [](auto& lane, int e, auto& again, std::atomic<bool>* end) {
    if (end->load(std::memory_order_relaxed)) return lane.done();
    if (!again.reserve(1)) return lane.retry();
    again.push(e);
    return lane.done();
  };

  explicit endless(runtime& on) : on_graph(on, "endless") {
    const auto c = on_graph.channel<int>("again", 64);
    on_graph.kernel("again", c, body, c, end.get());
    on_graph.push(c, 1);
    on_graph.execute();
  }
  endless(const endless&) = delete;
  endless& operator=(const endless&) = delete;
  void let_end() const { end->store(true, std::memory_order_relaxed); }

  /// The same as a model, for code that starts runs without a graph; it never ends by itself.
  static std::shared_ptr<channels::detail::graph_model> model() {
    const auto never = std::make_shared<std::atomic<bool>>(false);
    using node = channel_node<int>;
    using kernel_type = host::node_kernel<node, decltype(body), node, std::atomic<bool>*>;
    auto m = std::make_shared<channels::detail::graph_model>();
    m->name = "endless";
    channels::detail::stack_model s = channels::detail::make_stack<int>("again");
    s.capacity = 64;
    s.consumer = 0;
    s.pushed.resize(sizeof(int));
    m->stacks.push_back(std::move(s));
    m->nodes.push_back({"again",
                        0,
                        {{0, 0, 1}},
                        &kernel_type::run,
                        std::make_shared<const kernel_type::closure>(
                            kernel_type::closure{body, {node{}, never.get()}})});
    m->keep = never;
    return m;
  }

  std::unique_ptr<std::atomic<bool>> end = std::make_unique<std::atomic<bool>>(false);
  graph on_graph;
};

}  // namespace channels::testing
