#pragma once

#include <cstdint>      // fixed-width integers
#include <type_traits>  // is_void_v, is_invocable_v

#include "channels/config.hpp"
#include "channels/task.hpp"

namespace channels {

/// The lane that the body of a graph's kernel node is given, on every device.
class node_lane {
 public:
  explicit CHANNELS_DEVICE node_lane(std::uint32_t level) : level_(level) {}

  /// The element is done. A body that returns nothing means the same.
  [[nodiscard]] CHANNELS_DEVICE outcome done() const { return outcome::finished; }
  /// There is no room, and nothing has happened yet. The body is called again for this element when
  /// there may be room.
  [[nodiscard]] CHANNELS_DEVICE outcome retry() const { return outcome::retry; }
  /// The level of the element's channel in its channel stack; 0 without a stack.
  [[nodiscard]] CHANNELS_DEVICE std::uint32_t level() const { return level_; }

 private:
  std::uint32_t level_;
};

namespace detail {

/// Calls a body for an element. One lane calls it.
CHANNELS_FOR_HOST_LANES
template <class Body, class E, class... Arguments>
CHANNELS_INLINE CHANNELS_DEVICE outcome invoke_body(const Body& body, node_lane& lane, E& e,
                                                    Arguments&... arguments) {
  static_assert(std::is_invocable_v<const Body&, node_lane&, E&, Arguments&...>,
                "a kernel node's body takes a lane, an element of the channel's type, and one "
                "parameter for each argument after it; for a GPU it is a function object whose "
                "operator() is CHANNELS_DEVICE");
  if constexpr (std::is_void_v<std::invoke_result_t<const Body&, node_lane&, E&, Arguments&...>>) {
    body(lane, e, arguments...);
    return outcome::finished;
  } else {
    return body(lane, e, arguments...);
  }
}

}  // namespace detail
}  // namespace channels
