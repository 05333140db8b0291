#pragma once

#include "channels/config.hpp"  // CHANNELS_CXX20
#if CHANNELS_CXX20

#include <cstdint>      // fixed-width integers
#include <type_traits>  // false_type

#include "channels/detail/element.hpp"

namespace channels {

namespace detail {
/// What all handles of channels in a graph have in common.
struct node_handle {
  std::uint32_t stack = 0;  ///< place in the graph
  std::uint64_t graph = 0;  ///< the number of its graph
};
}  // namespace detail

/// Names a channel of a graph. Copy it freely.
template <element T>
struct channel_node : detail::node_handle {
  using element_type = T;
  static constexpr bool levels = false;
  static constexpr bool is_frames = false;
};

/// Names a channel stack.
template <element T>
struct stack_node : detail::node_handle {
  using element_type = T;
  static constexpr bool levels = true;
  static constexpr bool is_frames = false;
};

/// Names a stack of frames.
template <element T>
struct frame_node : detail::node_handle {
  using element_type = T;
  static constexpr bool levels = true;
  static constexpr bool is_frames = true;
};

/// A channel that each lane writes at most `bound` elements to.
template <class Node>
struct bounded_node : Node {
  std::uint32_t bound = 1;
};

/// Says that a lane writes at most `bound` elements to `node`, so that batches are cut to the room
/// that there is. Without it the bound is 1. A wrong bound costs time and nothing else.
template <class Node>
[[nodiscard]] bounded_node<Node> up_to(std::uint32_t bound, Node node) {
  return {node, bound};
}

namespace detail {

template <class A>
inline constexpr bool is_output = std::is_base_of_v<node_handle, A>;

template <class Node>
[[nodiscard]] std::uint32_t bound_of(const Node&) {
  return 1;
}
template <class Node>
[[nodiscard]] std::uint32_t bound_of(const bounded_node<Node>& n) {
  return n.bound;
}

}  // namespace detail
}  // namespace channels

#endif
