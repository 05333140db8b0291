#pragma once

#include "channels/gpu/channels/group_closures.hpp"

/// A graph and its channels, as the device aggregator and its batch workers know them.
namespace channels::gpu::detail {

/// Where a channel is. Does not change while the kernel runs.
struct channel_address {
  std::byte* data;
  std::uint32_t mask;
  std::uint32_t id;
  std::uint32_t* done;  ///< its done counts, if it has frames of the counted rule; else null
  std::uint32_t group;
};

struct device_output {
  std::uint16_t stack;
  std::uint16_t step;
  std::uint32_t bound;
};
struct device_node {
  node_function run;
  const void* closure;
  std::uint32_t first_output;  ///< among all nodes'
  std::uint32_t outputs;
};
struct device_stack {
  std::uint16_t consumer;  ///< node
  bool levels;
  bool frames;
};

// How much the aggregator has room for in the memory of its work-group.
inline constexpr std::uint32_t most_graph_stacks = 16;
inline constexpr std::uint32_t most_graph_nodes = 16;
inline constexpr std::uint32_t most_graph_outputs = 64;

/// The graph, as the aggregator keeps it at hand.
struct device_graph {
  device_node nodes[most_graph_nodes];
  device_output outputs[most_graph_outputs];
  device_stack stacks[most_graph_stacks];
  std::uint32_t node_count;
  std::uint32_t stack_count;
};

}  // namespace channels::gpu::detail
