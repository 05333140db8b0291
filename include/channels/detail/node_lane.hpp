#pragma once

#include <cstdint>      // fixed-width integers
#include <type_traits>  // is_void_v, is_same_v, is_invocable_v

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

/// The same with an element of type `T`, which the body may change for its next call.
template <class T>
class element_lane : public node_lane {
 public:
  /// `now`: what the body is called with.
  CHANNELS_DEVICE element_lane(std::uint32_t level, T& now) : node_lane(level), now_(now) {}

  using node_lane::retry;
  /// There is no room for all. What was written stays, and the body is called again with `rest` in
  /// place of this element when there may be room. So a body writes what fits, and notes in the
  /// element how far it is.
  [[nodiscard]] CHANNELS_DEVICE outcome retry(const T& rest) {
    now_ = rest;
    is_changed_ = true;
    return outcome::retry;
  }
  /// Whether the element is another one now. The device asks.
  [[nodiscard]] CHANNELS_DEVICE bool is_changed() const { return is_changed_; }

 private:
  T& now_;
  bool is_changed_ = false;
};

namespace detail {

/// Calls a body for an element. One lane calls it.
CHANNELS_FOR_HOST_LANES
template <class Body, class Lane, class E, class... Arguments>
CHANNELS_INLINE CHANNELS_DEVICE outcome invoke_body(const Body& body, Lane& lane, E& e,
                                                    Arguments&... arguments) {
  if constexpr (std::is_void_v<std::invoke_result_t<const Body&, Lane&, E&, Arguments&...>>) {
    body(lane, e, arguments...);
    return outcome::finished;
  } else {
    return body(lane, e, arguments...);
  }
}

/// What can be wrong with a body, for `graph::kernel` to say in one sentence: nothing is compiled
/// of a body that is refused.
template <class Body, class Lane, class E, class... Arguments>
struct body_check {
  static constexpr bool takes_them = std::is_invocable_v<const Body&, Lane&, E&, Arguments&...>;
  static constexpr bool returns_how_it_went = [] {
    if constexpr (takes_them) {
      using result = std::invoke_result_t<const Body&, Lane&, E&, Arguments&...>;
      return std::is_void_v<result> || std::is_same_v<result, outcome>;
    }
    return true;
  }();
};

}  // namespace detail
}  // namespace channels
